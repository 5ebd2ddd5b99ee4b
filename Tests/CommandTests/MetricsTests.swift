import Foundation
import Glibc
import ReconciliationTestSupport
import Reports
import TestNeeds
import Testing

@Suite("The metrics file") struct MetricsTests {
  /// The values by name and labels.
  ///
  /// Each line must have a form that Prometheus can read.
  private func metrics(_ path: String) throws -> [String: Double] {
    var values: [String: Double] = [:]
    var types: Set<String> = []
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasSuffix("\n"))
    for line in text.split(separator: "\n") {
      if line.hasPrefix("# HELP ") { continue }
      if let type = line.wholeMatch(of: /# TYPE ([a-z_]+) gauge/) {
        #expect(types.insert(String(type.output.1)).inserted)
        continue
      }
      let sample = try #require(
        line.wholeMatch(
          of: /(([a-z_]+)(?:\{[a-z]+="[^"\\\n]*"(?:,[a-z]+="[^"\\\n]*")*\})?) (-?[0-9.e+-]+)/),
        "\(line)")
      #expect(types.contains(String(sample.output.2)))
      #expect(values[String(sample.output.1)] == nil)
      values[String(sample.output.1)] = Double(sample.output.3)
    }
    return values
  }

  @Test("the metrics show how the night ended, its steps and the open findings")
  func done() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.putBadRecord()
    try command.night.transactions(
      "transaction_id | product_id | purchased_at\n301 | book.enma | 2026-11-18 12:00")
    let file = command.night.folder.appending(path: "tieout.prom").path
    let begin = Date.now.timeIntervalSince1970
    _ = try command.run("--metrics-file", file, asOf: "2026-11-18T20:00:00Z")
    let first = try metrics(file)
    for (result, count) in [("read", 3.0), ("new", 2), ("already_known", 0), ("rejected", 1)] {
      #expect(first["tieout_run_records{kind=\"documents\",result=\"\(result)\"}"] == count)
    }
    #expect(try #require(first["tieout_run_step_rows{step=\"read\"}"]) > 0)
    let started = try #require(first["tieout_run_start_timestamp_seconds"])
    let ended = try #require(first["tieout_run_end_timestamp_seconds"])
    let duration = try #require(first["tieout_run_duration_seconds"])
    #expect(ended > started && abs(ended - started - duration) < 0.01)
    #expect(try #require(first["tieout_last_night_done_timestamp_seconds"]) >= begin - 1)
    let before = Date.now.timeIntervalSince1970
    // The run removes the temporary file of a killed run, and no other file.
    for name in [".tieout.999999999.a1.tmp", ".tieout.\(getpid()).a1.tmp", "tieout.prom.old"] {
      let place = command.night.folder.appending(path: name)
      try "half".write(to: place, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes(
        [.modificationDate: Date.now.addingTimeInterval(-3700)], ofItemAtPath: place.path)
    }
    #expect(try command.run("--metrics-file", file, "--fail-on", "error").status == 1)
    let values = try metrics(file)
    #expect(values["tieout_run_outcome{outcome=\"done\"}"] == 1)
    #expect(values["tieout_run_outcome{outcome=\"failed\"}"] == 0)
    #expect(values["tieout_run_exit_status"] == 1)
    #expect(try #require(values["tieout_run_start_timestamp_seconds"]) >= before - 1)
    #expect(try #require(values["tieout_run_step_duration_seconds{step=\"read\"}"]) >= 0)
    #expect(try #require(values["tieout_run_step_bytes{step=\"report_findings\"}"]) > 0)
    #expect(
      values["tieout_findings{rule=\"invalid_product_id\",level=\"error\",status=\"open\"}"] == 1)
    #expect(values["tieout_oldest_open_error_age_seconds"] == 111_600)
    #expect(values["tieout_feed_newest_record_age_seconds{feed=\"receipts\"}"] != nil)
    #expect(values["tieout_feed_newest_record_age_seconds{feed=\"deliveries\"}"] != nil)
    #expect(values["tieout_feed_newest_record_age_seconds{feed=\"client\"}"] == nil)
    #expect(values["tieout_run_records{kind=\"documents\",result=\"rejected\"}"] == 0)
    #expect(values["tieout_last_night_as_of_timestamp_seconds"] == 1_795_143_600)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o644)
    let names = try FileManager.default.contentsOfDirectory(atPath: command.night.folder.path)
    #expect(
      names.filter { $0.contains("tieout.") }.sorted()
        == [".tieout.\(getpid()).a1.tmp", "tieout.prom", "tieout.prom.old"])
  }

  @Test("an acknowledged finding has its own status in the metrics and is not an open error")
  func acknowledged() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.night.transactions(
      "transaction_id | product_id | purchased_at\n301 | book.enma | 2026-11-18 12:00")
    let file = command.night.folder.appending(path: "tieout.prom").path
    _ = try command.run(asOf: "2026-11-18T20:00:00Z")
    let name = try #require(
      try command.value("select name from tieout.finding where rule = 'invalid_product_id'"))
    let done = try command.start([
      "acknowledge", name, "--because", "soon for sale", "--database",
      command.night.database.connectionString,
    ]).ended()
    #expect(done.status == 0, "\(done.errors)")
    _ = try command.run("--metrics-file", file)
    let values = try metrics(file)
    let labels = "rule=\"invalid_product_id\",level=\"error\",status="
    #expect(values["tieout_findings{\(labels)\"acknowledged\"}"] == 1)
    #expect(values["tieout_findings{\(labels)\"open\"}"] == nil)
    #expect(values["tieout_oldest_open_error_age_seconds"] == 0)
  }

  @Test("each run creates a new metrics file, so a reader of the old file can read it to its end")
  func renamed() throws {
    let command = try CommandNight()
    let file = command.night.folder.appending(path: "tieout.prom").path
    _ = try command.run("--metrics-file", file)
    let old = try #require(FileHandle(forReadingAtPath: file))
    let text = try String(contentsOfFile: file, encoding: .utf8)
    _ = try command.run("--metrics-file", file)
    #expect(try String(decoding: old.readToEnd() ?? Data(), as: UTF8.self) == text)
    #expect(try String(contentsOfFile: file, encoding: .utf8) != text)
  }

  @Test("the metrics report a rejected run and a run without a database")
  func failed() throws {
    let command = try CommandNight()
    try command.putBadRecord()
    let file = command.night.folder.appending(path: "tieout.prom").path
    #expect(try command.run("--metrics-file", file, "--max-rejected", "0").status == 65)
    let rejected = try metrics(file)
    #expect(rejected["tieout_run_outcome{outcome=\"rejected\"}"] == 1)
    #expect(rejected["tieout_run_exit_status"] == 65)
    #expect(rejected["tieout_run_step_duration_seconds{step=\"read\"}"] != nil)
    #expect(rejected["tieout_last_night_done_timestamp_seconds"] == nil)

    let unreachable = try command.start([
      "run", "--inbox", command.night.inbox.path, "--reports", command.night.reports.path,
      "--database", "host=/nowhere", "--metrics-file", file,
    ]).ended()
    #expect(unreachable.status == 69)
    #expect(try metrics(file)["tieout_run_exit_status"] == 69)
    #expect(try metrics(file).count == 8)
  }

  @Test("the metrics report a run that is refused because a setting is in the future")
  func refused() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let file = command.night.folder.appending(path: "tieout.prom").path
    for (asOf, begin, status) in [
      ("2962-11-20T03:00:00Z", "", 64),
      (CommandNight.asOf, "2962-11-01T00:00:00Z", 78),
    ] {
      let begins = ["TIEOUT_BOOKS_BEGIN": begin, "TIEOUT_ALLOW_FUTURE": ""]
      #expect(try command.run("--metrics-file", file).status == 0)
      #expect(try metrics(file)["tieout_run_exit_status"] == 0)
      let ended = try command.run("--metrics-file", file, asOf: asOf, environment: begins)
      #expect(Int(ended.status) == status, "\(ended.errors)")
      let values = try metrics(file)
      #expect(values["tieout_run_exit_status"] == Double(status))
      #expect(values["tieout_run_outcome{outcome=\"failed\"}"] == 1)
    }
  }

  @Test("a dry run writes no metrics, and a metrics file that cannot be written fails no run")
  func unwritten() throws {
    let command = try CommandNight()
    let file = command.night.folder.appending(path: "tieout.prom").path
    _ = try command.run("--metrics-file", file, "--dry-run")
    #expect(!FileManager.default.fileExists(atPath: file))
    let ended = try command.run("--metrics-file", "/nowhere/tieout.prom")
    #expect(ended.status == 0)
    #expect(ended.errors.contains("metrics_file: /nowhere/tieout.prom cannot be written"))
    #expect(try command.files().count == Report.all.count + 4)
  }

  @Test("a metrics file that is no regular file is refused and stays as it is, and fails no run")
  func irregular() throws {
    let command = try CommandNight()
    let folder = command.night.folder.path
    let made = shell("cd '\(folder)' && mkfifo pipe && mkdir sub && ln -s /dev/stdout link")
    try #require(made.status == 0, "\(made.output)")
    for (name, words) in [
      ("pipe", "it is not a regular file"), ("sub", "it is not a regular file"),
      ("link", "it is a symbolic link"),
    ] {
      let before = shell("stat -c '%F %i' '\(folder)/\(name)'").output
      let ended = try command.run("--metrics-file", "\(folder)/\(name)")
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(
        ended.errors.contains(
          "warning: metrics_file: \(folder)/\(name) cannot be written: \(words). The run does not"),
        "\(ended.errors)")
      #expect(shell("stat -c '%F %i' '\(folder)/\(name)'").output == before)
    }
  }

  @Test("a quiet run without a log says in one line that the metrics file cannot be written")
  func quiet() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let words = ["--quiet", "--metrics-file", "/nowhere/tieout.prom"]
    let good = try command.start(command.words(words)).ended()
    #expect(good.status == 0 && good.output == "")
    #expect(good.errors.hasPrefix("tieout: metrics_file: /nowhere/tieout.prom cannot be written:"))
    #expect(good.errors.filter { $0 == "\n" }.count == 1)
    let failed = try command.start(command.words(words + ["--database", "host=/nowhere"])).ended()
    #expect(failed.status == 69)
    #expect(failed.errors.hasPrefix("tieout: metrics_file: "), "\(failed.errors)")
    #expect(failed.errors.contains("\ntieout run failed with exit status 69.\n"))
    let log = command.night.folder.appending(path: "tieout.log").path
    let logged = try command.start(command.words(words + ["--log-file", log])).ended()
    #expect(logged.status == 0 && logged.errors == "")
    #expect(try String(contentsOfFile: log, encoding: .utf8).contains("warning: metrics_file: "))
  }

  @Test("the line is also printed if the log cannot be written")
  func brokenLog() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let log = command.night.folder.appending(path: "tieout.log").path
    // The log has room for its first lines only.
    let ended = try command.start(
      command.words([
        "--quiet", "--metrics-file", "/nowhere/tieout.prom", "--log-file", log, "--log-level",
        "debug",
      ]),
      prefix: [
        "sh", "-c", "ulimit -f 2; LLVM_PROFILE_FILE=/dev/null exec \"$0\" \"$@\"",
      ]
    ).ended()
    #expect(ended.errors.contains("tieout: log_file: \(log) cannot be written"), "\(ended.errors)")
    #expect(ended.errors.contains("tieout: metrics_file: /nowhere/tieout.prom cannot be written:"))
    #expect(ended.errors.split(separator: "\n").count <= 10, "\(ended.errors)")
  }
}

@Suite("Shell completions") struct CompletionTests {
  @Test(
    "bash completes commands and options",
    .needs(.bash),
    arguments: [
      (["tieout", "re"], ["recompute", "refresh-receipts"]),
      (["tieout", "run", "--metrics"], ["--metrics-file"]),
    ])
  func bash(words: [String], offered: [String]) throws {
    let command = try CommandNight()
    let script = try command.start(["--generate-completion-script", "bash"]).ended()
    #expect(script.status == 0)
    let file = command.night.folder.appending(path: "completion")
    let ask = """
      shopt -s extglob
      \(script.output)
      COMP_WORDS=(\(words.joined(separator: " "))); COMP_CWORD=\(words.count - 1)
      COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9
      _tieout tieout "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}" 2>/dev/null
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    try Data(ask.utf8).write(to: file)
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/bash")
    shell.arguments = ["--norc", file.path]
    let said = Pipe()
    shell.standardOutput = said
    try shell.run()
    let answer = String(
      decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    shell.waitUntilExit()
    let lines = answer.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    for word in offered { #expect(lines.contains(word), "\(answer)") }
  }
}

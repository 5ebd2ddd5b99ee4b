import Foundation
import Glibc
import ReconciliationTestSupport
import TestNeeds
import Testing

/// A real cron with its own crontab and its own `sendmail`.
///
/// It runs in a mount namespace, where it sees folders of the test in place of `/etc/cron.d`, the
/// users' crontabs and `/usr/sbin`.
private final class Cron {
  private let folder: String
  private let process: Program

  init(_ crontab: String) throws {
    folder = ShortPath.unused("cron")
    for name in ["cron.d", "crontabs", "run", "programs", "sbin", "mails"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    // cron trusts only a file that its owner alone may change.
    try Data(crontab.utf8).write(to: URL(filePath: "\(folder)/cron.d/tieout"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: "\(folder)/cron.d/tieout")
    try Data("".utf8).write(to: URL(filePath: "\(folder)/crontab"))
    let script = """
      set -e
      mount --bind /usr/sbin '\(folder)/programs'
      for program in '\(folder)'/programs/*; do
        case "$program" in */sendmail) ;; *) ln -s "$program" '\(folder)/sbin/' ;; esac
      done
      printf '%s\\n' '#!/bin/sh' 'cat > "\(folder)/mails/.$$"' \
        'mv "\(folder)/mails/.$$" "\(folder)/mails/$$"' > '\(folder)/sbin/sendmail'
      chmod 755 '\(folder)/sbin/sendmail'
      mount --bind '\(folder)/cron.d' /etc/cron.d
      mount --bind '\(folder)/crontabs' /var/spool/cron/crontabs
      if [ -e /etc/crontab ]; then mount --bind '\(folder)/crontab' /etc/crontab; fi
      mount --bind '\(folder)/run' /run
      mount --bind '\(folder)/sbin' /usr/sbin
      exec '\(folder)/programs/cron' -f
      """
    process = try Program(
      running: ["unshare", "--mount", "--propagation", "private", "sh", "-c", script],
      environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
  }

  /// The mails so far.
  func mails() throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/mails")
    return try names.filter { !$0.hasPrefix(".") }.sorted().map {
      try String(contentsOfFile: "\(folder)/mails/\($0)", encoding: .utf8)
    }
  }

  deinit {
    process.send(SIGTERM)
    _ = try? process.ended()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The shipped crontab with a night's own folders and program, started when cron starts.
  static func crontab(for command: CommandNight) throws -> String {
    let file = SampleNight.folder.deletingLastPathComponent().appending(
      path: "packaging/tieout.cron")
    let folder = command.night.folder.path
    var text = try String(contentsOf: file, encoding: .utf8)
    for (shipped, own) in [
      ("15 3 * * *  tieout  ", "@reboot  root  "), ("/srv/tieout", folder),
      ("/usr/local/bin/tieout", Program.path), ("/var/log/tieout", folder),
      ("/var/lib/tieout", "\(folder)/state"),
    ] {
      try #require(text.contains(shipped), "\(shipped)")
      text = text.replacing(shipped, with: own)
    }
    return text
  }
}

@Suite(
  "A night that Debian's cron starts", .needs(.cron), .needsRoot("cron runs as root"),
  .needsMount(ThrowawayServer.mayMount))
struct CronTests {
  /// Settings for the crontab's line, which names no database.
  private static func prepare(_ command: CommandNight) throws -> String {
    try command.writeSettings("database: \(command.night.database.connectionString)\n")
    return command.night.folder.appending(path: "tieout.log").path
  }

  @Test("a good night sends no mail and leaves one line in the log")
  func good() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let log = try Self.prepare(command)
    let cron = try Cron(Cron.crontab(for: command))
    #expect(try eventually { try lines(log).count == 1 })
    #expect(try lines(log).first?.contains(" notice: tieout run as of ") == true)
    // cron would send its mail when the command has ended.
    usleep(500_000)
    #expect(try cron.mails() == [])
  }

  @Test("a night with rejections sends one mail with at most ten lines")
  func rejected() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.putBadRecord()
    let log = try Self.prepare(command)
    let cron = try Cron(Cron.crontab(for: command))
    #expect(try eventually { try !cron.mails().isEmpty })
    let mails = try cron.mails()
    #expect(mails.count == 1)
    let parts = (mails.first ?? "").components(separatedBy: "\n\n")
    #expect(parts.first?.contains("To: root") == true, "\(mails)")
    let body = parts.dropFirst().joined(separator: "\n\n").split(separator: "\n")
    #expect((3...10).contains(body.count), "\(mails)")
    #expect(
      body.first?.contains("exit status 2. The night is done, but 1 record could not") == true)
    #expect(body.contains { $0.contains("status_21003 (1), first in receipts/bad.ndjson:1") })
    #expect(body.last?.hasSuffix("   Log: \(log)") == true)
    #expect(try lines(log).last?.contains(" warning: tieout run as of ") == true)
  }

  @Test("the lines about a dry run say that nothing was saved")
  func dryRun() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.putBadRecord()
    let ended = try command.run("--quiet", "--dry-run")
    #expect(ended.status == 2)
    #expect(
      ended.errors.hasPrefix("tieout run (dry run) as of ")
        && ended.errors.contains("Nothing was saved, and 1 record could not be used."),
      "\(ended.errors)")
  }

  @Test("a night that cannot start its work sends a mail")
  func failed() throws {
    let command = try CommandNight()
    let log = try Self.prepare(command)
    try FileManager.default.removeItem(at: command.night.inbox)
    let cron = try Cron(Cron.crontab(for: command))
    #expect(try eventually { try !cron.mails().isEmpty })
    let mail = try #require(try cron.mails().first)
    #expect(mail.contains("tieout run failed with exit status 78.\nThere is no inbox folder"))
    #expect(try lines(log).last?.contains(" error: tieout run failed.") == true)
    // A program that does not start prints a line too.
    let lost = try Cron(
      Cron.crontab(for: command).replacing(Program.path, with: "/nowhere/tieout"))
    #expect(try eventually { try lost.mails().contains { $0.contains("not found") } })
  }

  private func lines(_ path: String) throws -> [Substring] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
  }
}

import Foundation
import TestNeeds
import Testing

@Suite("Files of packaging/")
struct PackagingTests {
  @Test(
    "systemd accepts the service and the timer without a message",
    .needs(.systemdAnalyze),
    arguments: unitNames)
  func units(name: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "units-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for unit in Self.unitNames {
      // systemd checks that the program exists. The test replaces it by a program that exists on
      // this machine.
      let text = try Repository.text("packaging/\(unit)")
        .replacing("ExecStart=/usr/local/bin/tieout", with: "ExecStart=/usr/bin/env")
      try Data(text.utf8).write(to: folder.appending(path: unit))
    }
    let verify = Process()
    verify.executableURL = URL(filePath: try #require(Tool.systemdAnalyze.path))
    verify.arguments = ["verify", folder.appending(path: name).path]
    let said = Pipe()
    verify.standardError = said
    try verify.run()
    let words = String(
      decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    verify.waitUntilExit()
    #expect(verify.terminationStatus == 0)
    #expect(words == "")
  }

  private static let unitNames = ["tieout.service", "tieout.timer", "tieout-failed.service"]

  @Test("the service starts a unit on failure, which mails the journal of the service")
  func failure() throws {
    let service = try Repository.text("packaging/tieout.service")
    let unit = try #require(service.firstMatch(of: /\nOnFailure=(.+)\n/)).output.1
    let mail = try Repository.text("packaging/\(unit)")
    #expect(mail.contains("journalctl --unit=tieout.service"))
    // What systemd passes to the shell: \\ is \ and %H is the name of the host.
    let line = try #require(mail.firstMatch(of: /\nExecStart=\/bin\/sh -c '(.+)'\n/)).output.1
    let command = line.replacing("\\\\", with: "\\").replacing("%H", with: "host")
      .replacing("journalctl", with: "echo").replacing("/usr/sbin/sendmail -t", with: "cat")
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", String(command)]
    let said = Pipe()
    shell.standardOutput = said
    try shell.run()
    let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    shell.waitUntilExit()
    #expect(text.hasPrefix("To: root\nSubject: tieout failed on host\n\n--unit=tieout.service"))
  }

  @Test(
    "logrotate accepts its file and rotates a log of a week ago",
    .needs(.logrotate))
  func rotation() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "logrotate-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let log = folder.appending(path: "tieout.log").path
    try Data("a night\n".utf8).write(to: URL(filePath: log))
    // The user in the file does not exist on this machine. The test replaces it by its own user.
    let user = NSUserName()
    let group = try FileManager.default.attributesOfItem(atPath: log)[.groupOwnerAccountName]
    let text = try Repository.text("packaging/tieout.logrotate")
      .replacing("/var/log/tieout/", with: "\(folder.path)/")
      .replacing("tieout tieout", with: "\(user) \(group as? String ?? user)")
    let copy = folder.appending(path: "tieout.logrotate").path
    try Data(text.utf8).write(to: URL(filePath: copy))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy)
    let state = folder.appending(path: "state").path
    try Data("logrotate state -- version 2\n\"\(log)\" 2020-1-1-0:0:0\n".utf8)
      .write(to: URL(filePath: state))
    let words = try Self.rotate(["--debug", "--state", state, copy])
    #expect(!words.contains("error:"), "\(words)")
    #expect(words.contains("log needs rotating"), "\(words)")
    let rotated = try Self.rotate(["--state", state, copy])
    #expect(FileManager.default.fileExists(atPath: "\(log).1"), "\(rotated)")
    let broken = text.replacing("weekly", with: "wekly")
    try Data(broken.utf8).write(to: URL(filePath: copy))
    #expect(try Self.rotate(["--debug", "--state", state, copy]).contains("wekly"))
  }

  private static func rotate(_ words: [String]) throws -> String {
    let program = Process()
    program.executableURL = URL(filePath: try #require(Tool.logrotate.path))
    program.arguments = words
    let said = Pipe()
    program.standardError = said
    program.standardOutput = said
    try program.run()
    let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    program.waitUntilExit()
    return text
  }

  @Test("the crontab has one line with a time, a user and the command")
  func crontab() throws {
    let lines = try Repository.text("packaging/tieout.cron").split(separator: "\n")
      .filter { !$0.hasPrefix("#") && $0.firstMatch(of: /^[A-Z_]+=/) == nil }
    #expect(lines.count == 1)
    let line = try #require(lines.first)
    #expect(line.wholeMatch(of: /[0-9]+ [0-9]+ \* \* \*  tieout  .*tieout run .*/) != nil)
    // cron ends the command at a per cent sign.
    #expect(!line.contains("%"))
    #expect(try Repository.text("docs/operating.md").contains(line))
    let log = try #require(
      line.firstMatch(of: /--quiet --log-file (\/var\/log\/tieout\/[a-z]+\.log)$/))
    #expect(try Repository.text("packaging/tieout.logrotate").contains("/var/log/tieout/*.log {"))
    #expect(log.output.1.hasSuffix(".log"))
  }

  @Test("packaging/README.md describes every file")
  func listed() throws {
    let page = try Repository.text("packaging/README.md")
    for file in try Repository.files(below: "packaging") where !file.hasSuffix("README.md") {
      #expect(page.contains("`\(file.dropFirst("packaging/".count))`"), "\(file)")
    }
  }

  @Test(
    "the shell accepts what the package runs at installation and removal",
    arguments: ["postinst", "prerm", "postrm"])
  func maintainerScripts(name: String) throws {
    let path = "packaging/debian/tieout.\(name)"
    // Debian requires both: a command that fails stops the script, and debhelper's part is put in.
    #expect(try Repository.text(path).contains("\nset -e\n"))
    #expect(try Repository.text(path).hasSuffix("\n#DEBHELPER#\n"))
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-n", Repository.root.appending(path: path).path]
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0)
  }

  @Test("purging the package keeps a folder that is a link")
  func purged() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "tieout-\(UUID())")
    defer { try? FileManager.default.removeItem(at: root) }
    let files = FileManager.default
    for folder in ["srv/tieout/inbox/receipts", "var/lib/tieout", "disk"] {
      try files.createDirectory(
        at: root.appending(path: folder), withIntermediateDirectories: true)
    }
    try files.createSymbolicLink(
      at: root.appending(path: "srv/tieout/reports"),
      withDestinationURL: root.appending(path: "disk"))
    let script = try Repository.text("packaging/debian/tieout.postrm")
      .replacing(/(?<place>\/(?:srv|var|etc)\/)/) { "\(root.path)\($0.output.place)" }
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", script, "postrm", "purge"]
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0)
    #expect(files.fileExists(atPath: root.appending(path: "srv/tieout/reports").path))
    for folder in ["srv/tieout/inbox", "var/lib/tieout"] {
      #expect(!files.fileExists(atPath: root.appending(path: folder).path), "\(folder)")
    }
  }

  @Test("the settings of the package name the state directory of the service")
  func stateDirectory() throws {
    // scripts/package uncomments this line.
    let settings = try Repository.text("tieout.example.yaml")
      .matches(of: /\n#state_directory: (.+)/)
    #expect(settings.count == 1)
    let folder = try #require(settings.first?.output.1)
    #expect(
      try Repository.text("packaging/tieout.service")
        .contains("\nEnvironment=TIEOUT_STATE_DIRECTORY=\(folder)\n"))
    #expect(
      try Repository.text("packaging/debian/tieout.dirs").contains("\(folder.dropFirst())\n"))
    #expect(
      try Repository.text("packaging/tieout.cron")
        .contains("\nTIEOUT_STATE_DIRECTORY=\(folder)\n"))
    #expect(
      try Repository.text("packaging/README.md")
        .contains("\ninstall -d -o tieout -g tieout -m 0700 \(folder)\n"))
  }

  @Test("every way to create the user tieout gives it the state directory as its home")
  func home() throws {
    for path in [
      "scripts/install-needed", "packaging/README.md", "docs/security.md",
      "packaging/debian/tieout.postinst",
    ] {
      let homes = try Repository.text(path).matches(of: /--home(?:-dir)? (\S+)/).map(\.output.1)
      #expect(homes == ["/var/lib/tieout"], "\(path)")
    }
    // The user can exist already, because scripts/install-needed ran as root before.
    #expect(
      try Repository.text("packaging/README.md").contains("getent passwd tieout ||\n  useradd "))
  }

  @Test("alerts use existing metrics")
  func alerts() throws {
    let page = try Repository.text("docs/operating.md")
    let alerts = try Repository.text("packaging/tieout-alerts.yaml")
    // A metric that was never written is compared with nothing.
    #expect(alerts.contains("absent(tieout_last_night_done_timestamp_seconds)"))
    let names = alerts.matches(of: /tieout_[a-z_]+/)
    #expect(names.count >= 3)
    for name in names { #expect(page.contains("`\(name.output)`")) }
  }
}

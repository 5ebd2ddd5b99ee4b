import Foundation
import Testing

@Suite("The files that a user copies")
struct PackagingTests {
  private static let analyzer = "/usr/bin/systemd-analyze"

  @Test(
    "systemd takes the service and the timer without a word",
    .enabled(if: FileManager.default.isExecutableFile(atPath: analyzer)),
    arguments: ["tieout.service", "tieout.timer"])
  func units(name: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "units-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for unit in ["tieout.service", "tieout.timer"] {
      // It asks whether the program is there; on this machine another one stands for it.
      let text = try Repository.text("packaging/\(unit)")
        .replacing("ExecStart=/usr/local/bin/tieout", with: "ExecStart=/usr/bin/env")
      try Data(text.utf8).write(to: folder.appending(path: unit))
    }
    let verify = Process()
    verify.executableURL = URL(filePath: Self.analyzer)
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

  private static let rotator = "/usr/sbin/logrotate"

  @Test(
    "logrotate takes its file, and would turn a log of a week ago",
    .enabled(if: FileManager.default.isExecutableFile(atPath: rotator)))
  func rotation() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "logrotate-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let log = folder.appending(path: "tieout.log").path
    try Data("a night\n".utf8).write(to: URL(filePath: log))
    // The user that it names is not there on this machine; whoever runs the tests stands for it.
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
    let broken = text.replacing("weekly", with: "wekly")
    try Data(broken.utf8).write(to: URL(filePath: copy))
    #expect(try Self.rotate(["--debug", "--state", state, copy]).contains("wekly"))
  }

  private static func rotate(_ words: [String]) throws -> String {
    let program = Process()
    program.executableURL = URL(filePath: rotator)
    program.arguments = words
    let said = Pipe()
    program.standardError = said
    program.standardOutput = said
    try program.run()
    let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    program.waitUntilExit()
    return text
  }

  @Test("the crontab has one line of seven fields that begins at a time, as a user that is there")
  func crontab() throws {
    let lines = try Repository.text("packaging/tieout.cron").split(separator: "\n")
      .filter { !$0.hasPrefix("#") && $0.firstMatch(of: /^[A-Z]+=/) == nil }
    #expect(lines.count == 1)
    let line = try #require(lines.first)
    #expect(line.wholeMatch(of: /[0-9]+ [0-9]+ \* \* \*  tieout  .*tieout run .*/) != nil)
    // cron takes a per cent sign for the end of the command.
    #expect(!line.contains("%"))
    #expect(try Repository.text("docs/operating.md").contains(line))
  }

  @Test("every file is told of in the folder's page")
  func listed() throws {
    let page = try Repository.text("packaging/README.md")
    for file in try Repository.files(below: "packaging") where !file.hasSuffix("README.md") {
      #expect(page.contains("`\(file.dropFirst("packaging/".count))`"), "\(file)")
    }
  }

  @Test("alerts watch metrics that are there")
  func alerts() throws {
    let page = try Repository.text("docs/operating.md")
    let names = try Repository.text("packaging/tieout-alerts.yaml").matches(of: /tieout_[a-z_]+/)
    #expect(names.count >= 3)
    for name in names { #expect(page.contains("`\(name.output)`")) }
  }
}

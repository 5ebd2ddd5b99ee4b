import Foundation
import TestNeeds
import Testing

@testable import PrivateServer

@Suite("The log of the server") struct ServerLogTests {
  private func log(in scratch: Scratch) throws -> ServerLog {
    ServerLog(path: "\(scratch.folder)/server.log", user: try ServerUser(uid: geteuid()))
  }

  @Test("the lines after a position are read, without the one about local.conf")
  func tail() throws {
    let scratch = try Scratch()
    let log = try log(in: scratch)
    #expect(log.size == 0)
    #expect(log.tail(from: 0) == "")
    let text = "one\ntwo\nskipping missing configuration file \"local.conf\"\nthree\n"
    try text.write(toFile: log.path, atomically: false, encoding: .utf8)
    #expect(log.size == text.utf8.count)
    #expect(log.tail(from: 4) == "two\nthree")
    #expect(log.tail(from: text.utf8.count) == "")
    // A log that was renamed begins again.
    #expect(log.tail(from: 1000) == "one\ntwo\nthree")
  }

  @Test("a link or a pipe in the log's place is not read")
  func otherKinds() throws {
    let scratch = try Scratch()
    let log = try log(in: scratch)
    let secret = "\(scratch.folder)/secret"
    try "root:secret\n".write(toFile: secret, atomically: false, encoding: .utf8)
    try #require(symlink(secret, log.path) == 0)
    #expect(log.size == 0)
    #expect(log.tail(from: 0) == "")
    try #require(unlink(log.path) == 0 && mkfifo(log.path, 0o600) == 0)
    #expect(log.tail(from: 0) == "")
  }

  @Test("a file of another user is not read", .needsRoot("only root can give files away"))
  func foreign() throws {
    let scratch = try Scratch()
    let log = try log(in: scratch)
    try "root:secret\n".write(toFile: log.path, atomically: false, encoding: .utf8)
    try #require(chown(log.path, 65534, 65534) == 0)
    #expect(log.size == 0)
    #expect(log.tail(from: 0) == "")
  }
}

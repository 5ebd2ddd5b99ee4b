import Foundation
import TestNeeds
import Testing

@testable import PrivateServer

@Suite("The state directory") struct StateDirectoryTests {
  private func refusal(of path: String) throws -> PrivateServerError {
    try #require(throws: PrivateServerError.self) { try StateDirectory(path) }
  }

  @Test("a folder that contains other files is refused and not changed")
  func otherFiles() throws {
    let scratch = try Scratch()
    try "mine".write(toFile: "\(scratch.folder)/letter.txt", atomically: true, encoding: .utf8)
    let error = try refusal(of: scratch.folder)
    #expect(error.code == .unusableDirectory)
    #expect(error.message.contains("letter.txt"))
    #expect(try mode(of: scratch.folder) == 0o755)
  }

  @Test("a folder named data without a PG_VERSION is refused, and nothing beside it is removed")
  func otherData() throws {
    let scratch = try Scratch()
    let names = ["data", "data.new-1", "data.new-2026", "data.restoring"]
    for name in names {
      try FileManager.default.createDirectory(
        atPath: "\(scratch.folder)/\(name)", withIntermediateDirectories: true)
    }
    #expect(throws: PrivateServerError.self) {
      try PrivateServer.open(stateDirectory: scratch.folder)
    }
    let error = try refusal(of: scratch.folder)
    #expect(error.message.contains("it contains other files, such as data"), "\(error)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder).sorted() == names)
    #expect(try mode(of: "\(scratch.folder)/data") == 0o755)
  }

  @Test(
    "root follows no link of another user on the way to it",
    .needsRoot("only root could give the target away"), arguments: ["", "/below"])
  func plantedLink(below: String) throws {
    let scratch = try Scratch()
    let target = "\(scratch.folder)/target"
    mkdir(target, 0o755)
    symlink(target, scratch.state)
    let nobody = try #require(getpwnam("nobody")?.pointee)
    lchown(scratch.state, nobody.pw_uid, nobody.pw_gid)
    let error = try refusal(of: scratch.state + below)
    #expect(
      error.message.contains("a link of another user, which root does not follow"), "\(error)")
    #expect(try mode(of: target) == 0o755)
    #expect(try FileManager.default.contentsOfDirectory(atPath: target).isEmpty)
    lchown(scratch.state, 0, 0)
    #expect(try StateDirectory(scratch.state).path == target)
  }

  @Test("the root of a new disk is accepted", .needsRoot("only root can give folders away"))
  func newDisk() throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(
      atPath: "\(scratch.state)/lost+found", withIntermediateDirectories: true)
    let state = try StateDirectory(scratch.state)
    #expect(state.user.uid != 0)
    #expect(try mode(of: state.path) == 0o700)
  }

  @Test("the home of the server's user, with hidden files only, is accepted")
  func home() throws {
    let scratch = try Scratch()
    let folder = "\(scratch.folder)/home"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false)
    try "machine example.com".write(
      toFile: "\(folder)/.netrc", atomically: true, encoding: .utf8)
    if geteuid() == 0 {
      // As root the folder must already belong to the user.
      #expect(try refusal(of: folder).message.contains("it belongs to root"))
      chown(folder, 65534, 65534)
    }
    #expect(try StateDirectory(folder).path == folder)
  }

  @Test("a file at the folder's path is refused, and the error names it")
  func file() throws {
    let scratch = try Scratch()
    try "mine".write(toFile: scratch.state, atomically: true, encoding: .utf8)
    #expect(try refusal(of: scratch.state).message.contains(scratch.state))
    #expect(try refusal(of: "\(scratch.state)/below").message.contains(scratch.state))
  }

  @Test("a name that a shell would change is refused", arguments: ["a$b", "a\"b", "a`b"])
  func name(_ name: String) throws {
    #expect(try refusal(of: "/tmp/\(name)").message.contains("do not accept its name"))
    #expect(!FileManager.default.fileExists(atPath: "/tmp/\(name)"))
  }

  @Test("spaces and non-ASCII letters in the name are accepted")
  func letters() throws {
    let scratch = try Scratch()
    let state = try StateDirectory("\(scratch.folder)/naïve state, here")
    #expect(try mode(of: state.path) == 0o700)
    #expect(!SocketFolder.isFit(state.path))
  }

  @Test(
    "for root, an error names the folder above it that the server's user cannot enter",
    .needsRoot("an ordinary user's server runs as that user"))
  func unreachable() throws {
    let scratch = try Scratch()
    chmod(scratch.folder, 0o700)
    let error = try refusal(of: scratch.state)
    #expect(error.message.contains("cannot enter \(scratch.folder)"))
  }

  @Test(
    "for root, the server runs as the folder's owner",
    .needsRoot("only root can give folders away"))
  func ownerServes() throws {
    let scratch = try Scratch()
    mkdir(scratch.state, 0o755)
    let nobody = try #require(getpwnam("nobody")?.pointee)
    chown(scratch.state, nobody.pw_uid, nobody.pw_gid)
    #expect(try StateDirectory(scratch.state).user.name == "nobody")
    #expect(try mode(of: scratch.state) == 0o700)
  }

  @Test("a data folder that others may enter is closed to them")
  func openDataFolder() throws {
    let scratch = try Scratch()
    let state = try StateDirectory(scratch.state)
    try #require(try state.user.run("mkdir", ["-m", "0755", state.data]).succeeded)
    try #require(try state.user.run("touch", ["\(state.data)/PG_VERSION"]).succeeded)
    _ = try StateDirectory(scratch.state)
    #expect(try mode(of: state.data) == 0o700)
  }

  @Test(
    "a data folder of another owner is refused, and the error says how to give it back",
    .needsRoot("only root can give folders away"), arguments: ["data", "data/PG_VERSION"])
  func foreignDataFolder(name: String) throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(
      atPath: "\(scratch.state)/data", withIntermediateDirectories: true)
    try "15\n".write(
      toFile: "\(scratch.state)/data/PG_VERSION", atomically: true, encoding: .utf8)
    let nobody = try #require(getpwnam("nobody")?.pointee)
    for path in ["", "/data", "/data/PG_VERSION"] where path != "/\(name)" {
      chown(scratch.state + path, nobody.pw_uid, nobody.pw_gid)
    }
    let error = try refusal(of: scratch.state)
    #expect(error.code == .unusableDirectory)
    let words = "/\(name) belongs to root, but the private server runs as nobody"
    #expect(error.message.contains(words), "\(error)")
    #expect(error.remedy.contains("chown -R --no-dereference nobody: \(scratch.state)"))
  }

  @Test(
    "a folder that root has restored is refused, and the error says to whom to give it",
    .needsRoot("only root can own it"))
  func restoredByRoot() throws {
    let scratch = try Scratch()
    let folder = "\(scratch.folder)/root's state"
    try FileManager.default.createDirectory(
      atPath: "\(folder)/data", withIntermediateDirectories: true)
    try "15\n".write(toFile: "\(folder)/data/PG_VERSION", atomically: true, encoding: .utf8)
    let error = try refusal(of: folder)
    #expect(error.message.contains("it belongs to root, and PostgreSQL refuses to run as root"))
    let user = try ServerUser.forNewDataFolder().name
    let path = #"'\#(scratch.folder)/root'\''s state'"#
    #expect(error.remedy.contains("chown -R --no-dereference \(user): \(path)"))
  }

  @Test(
    "a lock that cannot be opened is reported with the remedy for the system's error",
    arguments: [
      (ENOSPC, "no free inodes"), (EDQUOT, "free some space"), (EROFS, "mount it for writing"),
      (EACCES, "Make the folder writable"), (ELOOP, "It is a link"),
    ])
  func lock(error: Int32, remedy: String) throws {
    let user = try ServerUser(uid: geteuid())
    let words = FileLock.cannotOpen("/nowhere/start.lock", error, user)
    #expect(words.code == .unusableDirectory)
    #expect(words.remedy.contains(remedy), "\(words)")
  }

  @Test("its standard path follows XDG_STATE_HOME and HOME")
  func standardPath() {
    let path = StateDirectory.standardPath(environment: ["XDG_STATE_HOME": "/x", "HOME": "/h"])
    let unset = StateDirectory.standardPath(environment: ["XDG_STATE_HOME": "x", "HOME": "/h"])
    #expect(path == (geteuid() == 0 ? "/var/lib/tieout" : "/x/tieout"))
    #expect(unset == (geteuid() == 0 ? "/var/lib/tieout" : "/h/.local/state/tieout"))
  }
}

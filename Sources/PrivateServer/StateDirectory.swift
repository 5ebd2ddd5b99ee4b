import ExactText
import FileSystem
import Foundation
import Glibc

/// The folder of the private server: data folder, socket, log and locks.
struct StateDirectory: Sendable {
  let path: String
  /// The folder's owner; the server runs as this user.
  let user: ServerUser

  /// The data folder.
  var data: String { "\(path)/data" }
  /// The data folder of a newer version while it is being filled.
  var restoring: String { "\(path)/data.restoring" }
  /// The complete data folder of a newer version, until it replaces the old one.
  var upgraded: String { "\(path)/data.upgrade" }
  /// The dump of the old database, which is restored into the new data folder.
  var dump: String { "\(path)/upgrade.dump" }
  /// The SQL commands that create the old server's roles in the new one.
  var roles: String { "\(path)/upgrade.roles" }
  var log: String { "\(path)/server.log" }
  /// The lock that a command holds exclusively while it creates, starts or stops the server.
  var startLock: String { "\(path)/\(Self.lockName)" }
  /// The lock that all users of the server share.
  var usersLock: String { "\(path)/users.lock" }
  /// The lock that the processes of a server hold until the last of them ends.
  var serverLock: String { "\(path)/server.lock" }

  private static let lockName = "start.lock"

  /// The standard folder, used if no setting names one.
  static func standardPath(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String {
    if geteuid() == 0 { return "/var/lib/tieout" }
    // The XDG Base Directory Specification says that a relative path must be ignored.
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return "\(state)/tieout" }
    let home = environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
    return "\(home)/.local/state/tieout"
  }

  /// Creates the folder if it does not exist, and checks that a server can use it.
  init(_ chosen: String?) throws(PrivateServerError) {
    let wanted = absolutePath(chosen ?? Self.standardPath())
    // pg_ctl passes the path to a shell between double quotes. The bytes are compared, because in
    // Swift one of these and a combining accent after it are a single, different character.
    if wanted.utf8.contains(where: { "\"$`\\\n\r".utf8.contains($0) }) {
      throw Self.unusable(wanted, "PostgreSQL's programs do not accept its name")
    }
    let folder = try Self.opened(wanted)
    guard let real = realpath(folder.pathOfDescriptor, nil) else {
      throw Self.unusable(wanted, systemErrorText(errno))
    }
    path = String(cString: real)
    free(real)
    user = try Self.settleOwner(of: folder, path)
    try checkDataFolder()
    try checkUse()
    try user.close(folder: path)
    // A copy that somebody has restored can have another mode, and PostgreSQL refuses it.
    if Self.owner(of: data) != nil { try user.close(folder: data) }
  }

  /// Opens the folder, and creates it if it does not exist.
  ///
  /// As root, it follows no link of another user, who could choose the folder that root gives away.
  private static func opened(_ path: String) throws(PrivateServerError) -> OpenFolder {
    do throws(FileSystemError) {
      try makeParents(of: path)
      return try OpenFolder(path, making: 0o700)
    } catch {
      // The folder of another user cannot be opened, and its owner is the reason.
      if geteuid() != 0 { try refuseOther(owner(of: path), of: path) }
      throw unusable(path, error.words)
    }
  }

  /// Creates the folders above the folder; root creates them so that the server's user can enter.
  private static func makeParents(of path: String) throws(FileSystemError) {
    let mode: UInt32 = geteuid() == 0 ? 0o755 : 0o700
    var missing: [String] = []
    var above = URL(fileURLWithPath: path).deletingLastPathComponent().path
    while access(above, F_OK) != 0, errno == ENOENT {
      missing.append(above)
      above = URL(fileURLWithPath: above).deletingLastPathComponent().path
    }
    for folder in missing.reversed() {
      try OpenFolder(folder, making: mode).setMode(mode)
    }
  }

  /// Gives an empty folder of root to the server's user.
  ///
  /// Any other folder keeps its owner.
  private static func settleOwner(
    of folder: OpenFolder, _ path: String
  ) throws(PrivateServerError) -> ServerUser {
    if geteuid() != 0 { try refuseOther(owner(of: path), of: path) }
    var names = try self.names(in: path)
    if geteuid() == 0 && names.isEmpty && owner(of: path) == 0 {
      let user = try ServerUser.forNewDataFolder()
      do throws(FileSystemError) {
        _ = try folder.giveEmpty(to: user.uid, user.gid)
      } catch {
        throw unusable(path, error.words)
      }
      // Another command may have changed the owner in the meantime, and created its first files.
      names = try self.names(in: path)
    }
    if let other = otherFile(among: names, in: path) {
      throw unusable(path, "it contains other files, such as \(other)")
    }
    // Read again: another command may have changed the owner meanwhile.
    guard let owner = owner(of: path) else { throw unusable(path, systemErrorText(errno)) }
    if owner == 0 {
      let user = try ServerUser.forNewDataFolder()
      throw unusable(
        path, "it belongs to root, and PostgreSQL refuses to run as root",
        remedy: "If it contains the data of a private server, give it to the server's user: "
          + "\(giving(path, to: user)). Otherwise \(another)")
    }
    return try ServerUser(uid: owner)
  }

  /// Refuses a folder of another user.
  private static func refuseOther(
    _ owner: uid_t?, of path: String
  ) throws(PrivateServerError) {
    guard let owner, owner != geteuid() else { return }
    // A folder of the system, which nobody should give away.
    if let names = try? names(in: path), let other = otherFile(among: names, in: path) {
      throw unusable(
        path,
        "it belongs to \(name(of: owner)) and contains other files, such as \(other)",
        remedy: "Name another state directory that is empty or does not exist.")
    }
    let user = try ServerUser(uid: geteuid())
    let act = owner == 0 ? "Let" : "Run the command as \(name(of: owner)), or let"
    throw unusable(
      path, "it belongs to \(name(of: owner)), and this command runs as \(user.name)",
      remedy: "\(act) root give it to \(user.name): \(giving(path, to: user)). Otherwise \(another)"
    )
  }

  /// Checks that the data folder, if there is one, belongs to the server's user.
  ///
  /// A copy that root has restored can belong to root. Then the server's user cannot even see that
  /// it is a data folder.
  private func checkDataFolder() throws(PrivateServerError) {
    for place in [data, "\(data)/PG_VERSION"] {
      guard let owner = Self.owner(of: place), owner != user.uid else { continue }
      throw PrivateServerError(
        .unusableDirectory,
        "\(place) belongs to \(Self.name(of: owner)), but the private server runs as \(user.name)",
        remedy: "Nothing changed. Let root give it to \(user.name), and run again: "
          + "\(Self.giving(path, to: user))")
    }
  }

  private static func name(of owner: uid_t) -> String {
    (try? ServerUser(uid: owner).name) ?? "the user \(owner)"
  }

  /// The command that gives a folder to a user.
  private static func giving(_ path: String, to user: ServerUser) -> String {
    "chown -R --no-dereference \(user.name): \(ShellWord.of(path))"
  }

  private static let another = "choose another state directory that is empty or does not exist."

  /// The names in a folder, without what a new disk contains and without hidden files: the folder may
  /// be the home of the server's user, with a `.netrc`.
  private static func names(in path: String) throws(PrivateServerError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path)
        .filter { $0 != OpenFolder.lostAndFound && !$0.hasPrefix(".") }
    } catch {
      throw unusable(path, FileSystemError.words(of: error))
    }
  }

  /// The first name in a folder that is no state directory; nil if it is one or is empty.
  private static func otherFile(among names: [String], in path: String) -> String? {
    names.contains(lockName) || containsDataFolder(path) ? nil : names.min()
  }

  /// Whether `data` is a data folder, or a folder of another user that may be one.
  private static func containsDataFolder(_ path: String) -> Bool {
    access("\(path)/data/PG_VERSION", F_OK) == 0 || errno == EACCES
  }

  private static func owner(of path: String) -> uid_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_uid : nil
  }

  /// Checks that the server's user can enter and write; an error names the folder that the user
  /// cannot enter.
  private func checkUse() throws(PrivateServerError) {
    // A check as another user starts a program. If the server is ready, no check is necessary.
    if user.isAnother, try DataFolder(path: data, user: user).server().state == .ready { return }
    let usable = try user.mayWrite(in: path)
    if usable.answer { return }
    var folder = "/"
    for name in path.parts(between: "/") {
      folder += folder == "/" ? name : "/\(name)"
      if try !user.mayEnter(folder) {
        let words = usable.words.isEmpty ? "" : " (\(usable.words))"
        throw Self.unusable(
          path, "the server's user \(user.name) cannot enter \(folder)\(words)")
      }
    }
    throw Self.unusable(
      path, "\(user.name) cannot write there, or its file system is read-only")
  }

  private static func unusable(
    _ path: String, _ reason: String, remedy: String = "Fix this, or \(another)"
  ) -> PrivateServerError {
    PrivateServerError(
      .unusableDirectory, "The state directory \(path) cannot be used: \(reason)", remedy: remedy)
  }
}

/// The absolute, standardized form of a path.
func absolutePath(_ path: String) -> String {
  URL(fileURLWithPath: path).standardizedFileURL.path
}

/// Renames a folder, so that it keeps its new name after a power failure.
///
/// Both paths are in the same folder.
///
/// - Returns: The error text; nil on success.
func moveFolder(_ path: String, to target: String) -> String? {
  let (old, new) = (URL(fileURLWithPath: path), URL(fileURLWithPath: target))
  precondition(old.deletingLastPathComponent() == new.deletingLastPathComponent())
  do throws(FileSystemError) {
    let folder = try OpenFolder(new.deletingLastPathComponent().path)
    try folder.rename(old.lastPathComponent, to: new.lastPathComponent)
    try folder.synchronize()
    return nil
  } catch { return error.words }
}

import Effects
import FileSystem
import Foundation
import Glibc

/// What is done in the server's folders, with the rights of the server's user.
///
/// Root does none of it itself in a folder of another user, who could have laid a link there, and has a
/// program do it as that user. Whoever is that user needs no program.
extension ServerUser {
  /// Whether the user can enter a folder and make files in it; else what was said about it.
  func mayWrite(in folder: String) throws(PrivateServerError) -> (answer: Bool, words: String) {
    guard isAnother else { return (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0, "") }
    let told = try run("test", ["-w", folder, "-a", "-x", folder])
    return (told.succeeded, told.output.lastLines(1))
  }

  /// Whether the user can enter a folder.
  func mayEnter(_ folder: String) throws(PrivateServerError) -> Bool {
    guard isAnother else { return faccessat(AT_FDCWD, folder, X_OK, AT_EACCESS) == 0 }
    return try run("test", ["-x", folder]).succeeded
  }

  /// Makes a folder for this user alone, unless something of that name is there.
  ///
  /// - Returns: what went wrong, or nothing.
  func makeFolder(_ path: String) throws(PrivateServerError) -> String {
    guard isAnother else {
      if let error = Effect.create.systemError(path) { return errorText(error) }
      return mkdir(path, 0o700) == 0 || errno == EEXIST ? "" : errorText(errno)
    }
    return try run("sh", ["-c", #"test -d "$1" || mkdir -m 0700 "$1""#, "sh", path]).output
      .lastLines(1)
  }

  /// Closes a folder of this user to all others, if it is not closed already.
  func close(folder: String) throws(PrivateServerError) {
    var status = stat()
    guard lstat(folder, &status) != 0 || status.st_mode & 0o7777 != 0o700 else { return }
    guard isAnother else {
      _ = chmod(folder, 0o700)
      return
    }
    _ = try run("chmod", ["0700", folder])
  }

  /// Removes files; those that are not there are no trouble.
  func remove(files: [String]) throws(PrivateServerError) {
    guard isAnother else {
      for file in files where Effect.remove.systemError(file) == nil { _ = unlink(file) }
      return
    }
    _ = try run("rm", ["-f", "--"] + files)
  }

  /// Gives a file another name, in place of a file that has it.
  func move(_ path: String, to target: String) throws(PrivateServerError) {
    guard isAnother else {
      if Effect.rename.systemError(path) == nil { _ = rename(path, target) }
      return
    }
    _ = try run("mv", ["-fT", "--", path, target])
  }

  /// Writes a file, whole or not at all.
  func write(_ text: String, to path: String) throws(PrivateServerError) {
    var words = ""
    if isAnother {
      // With -C the shell opens only what was not there.
      let script =
        #"umask 077; rm -f "$1.new"; set -C; cat > "$1.new" && mv -fT "$1.new" "$1" || { rm -f "$1.new"; exit 1; }"#
      let writing = try run("sh", ["-c", script, "sh", path], input: text)
      if writing.succeeded { return }
      words = writing.output.lastLines(3)
    } else {
      let file = URL(fileURLWithPath: path)
      do {
        let folder = try OpenFolder(file.deletingLastPathComponent().path)
        folder.removeRemains()
        return try folder.write([UInt8](text.utf8), as: file.lastPathComponent, mode: 0o600)
      } catch {
        words = (error as? FileSystemError)?.words ?? "\(error)"
      }
    }
    throw PrivateServerError(
      .unusableDirectory, "\(path) cannot be written: \(words)",
      remedy: remedy(for: words, in: path))
  }
}

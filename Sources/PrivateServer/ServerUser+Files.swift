import Effects
import FileSystem
import Foundation
import Glibc

/// Operations in the server's folders, with the rights of the server's user.
///
/// In a folder of another user, that user could have placed a link. Root itself therefore changes
/// only the locks there, which it opens without following a link (``FileLock``), and the names of
/// data folders, because a rename follows no link. A program does the rest as that user. If the
/// current user is the server's user, no program is needed.
extension ServerUser {
  /// Whether the user can enter a folder and create files in it; otherwise the words of the failed
  /// test.
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

  /// Creates a folder for this user alone, unless the name exists.
  ///
  /// - Returns: The error text; empty on success.
  func makeFolder(_ path: String) throws(PrivateServerError) -> String {
    guard isAnother else {
      if let error = Effect.create.systemError(path) { return systemErrorText(error) }
      return mkdir(path, 0o700) == 0 || errno == EEXIST ? "" : systemErrorText(errno)
    }
    return try run("sh", ["-c", #"test -d "$1" || mkdir -m 0700 "$1""#, "sh", path]).output
      .lastLines(1)
  }

  /// Sets the mode of this user's folder to 0700 if it is different.
  func close(folder: String) throws(PrivateServerError) {
    var status = stat()
    guard lstat(folder, &status) != 0 || status.st_mode & 0o7777 != 0o700 else { return }
    guard isAnother else {
      _ = chmod(folder, 0o700)
      return
    }
    _ = try run("chmod", ["0700", folder])
  }

  /// Removes files; a missing file is no error.
  func remove(files: [String]) throws(PrivateServerError) {
    guard isAnother else {
      for file in files where Effect.remove.systemError(file) == nil { _ = unlink(file) }
      return
    }
    _ = try run("rm", ["-f", "--"] + files)
  }

  /// Renames a file; replaces an existing file of the new name.
  func move(_ path: String, to target: String) throws(PrivateServerError) {
    guard isAnother else {
      if Effect.rename.systemError(path) == nil { _ = rename(path, target) }
      return
    }
    _ = try run("mv", ["-fT", "--", path, target])
  }

  /// Writes a file completely or not at all.
  func write(_ text: String, to path: String) throws(PrivateServerError) {
    var words = ""
    if isAnother {
      // With -C the shell only opens a file that does not exist.
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

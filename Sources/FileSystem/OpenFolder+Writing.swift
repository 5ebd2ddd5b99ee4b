import Effects
import Glibc

/// The program writes its files here: in an open folder, under a name that did not exist.
///
/// The file has its mode from the beginning. So nobody can create a link through which the program
/// would write a file.
extension OpenFolder {
  /// Creates a file that did not exist.
  ///
  /// - Parameter mode: The mode, from which the umask removes bits.
  /// - Returns: a descriptor for writing, which the caller closes.
  package func create(_ name: String, mode: UInt32) throws(FileSystemError) -> Int32 {
    let place = "\(path)/\(name)"
    if let code = Effect.create.systemError(place) {
      throw FileSystemError(place, "created", code: code)
    }
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = retrying { openat(descriptor, name, flags, mode) }
    guard file >= 0 else { throw FileSystemError(place, "created", code: errno) }
    giveToOwner(file)
    return file
  }

  /// Creates a folder that did not exist; the umask removes bits from its mode.
  package func makeFolder(_ name: String, mode: UInt32) throws(FileSystemError) {
    guard try makeIfMissing(name, mode: mode) else {
      throw FileSystemError("\(path)/\(name)", "created", code: EEXIST)
    }
  }

  /// Creates a folder unless something has its name.
  ///
  /// - Returns: whether it was created.
  func makeIfMissing(_ name: String, mode: UInt32) throws(FileSystemError) -> Bool {
    guard try Self.make(name, in: descriptor, of: "\(path)/\(name)", mode: mode) else {
      return false
    }
    guard geteuid() == 0 else { return true }
    let made = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard made >= 0 else { return true }
    // The owner of this folder can have moved another folder of root's here in the meantime.
    let folder = OpenFolder(path: "\(path)/\(name)", descriptor: made)
    if (try? folder.entries().isEmpty) == true { giveToOwner(made) }
    return true
  }

  /// Gives what root has created in this folder to the owner and the group of the folder.
  ///
  /// Otherwise the runs of that user could not read it. Some file systems have no owners, and
  /// there it stays as it is.
  private func giveToOwner(_ made: Int32) {
    var own = stat()
    guard geteuid() == 0, fstat(descriptor, &own) == 0, own.st_uid != 0 else { return }
    _ = fchown(made, own.st_uid, own.st_gid)
  }

  /// Locks this folder for this process, without waiting, until the object ends.
  ///
  /// A process that does not ask for the lock is not kept out.
  ///
  /// - Returns: False if another process holds the lock. A file system without locks gives every
  ///   process the lock.
  package func lock() -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  /// Sets the mode of this folder, whatever the umask is.
  package func setMode(_ mode: UInt32) throws(FileSystemError) {
    guard fchmod(descriptor, mode) == 0 else {
      throw FileSystemError(path, "changed", code: errno)
    }
  }

  /// Lets the group write into this folder if it may write into another one.
  package func shareWithGroup(like other: OpenFolder) throws(FileSystemError) {
    var own = stat()
    var model = stat()
    guard fstat(descriptor, &own) == 0, fstat(other.descriptor, &model) == 0 else {
      throw FileSystemError(path, "changed", code: errno)
    }
    if model.st_mode & S_IWGRP != 0 { try setMode(own.st_mode & 0o7777 | S_IWGRP) }
  }

  /// Renames a file or a folder; an existing file with the new name is replaced.
  package func rename(_ name: String, to other: String) throws(FileSystemError) {
    let code = Effect.rename.systemError("\(path)/\(name) to \(path)/\(other)")
    guard code == nil, renameat(descriptor, name, descriptor, other) == 0 else {
      let code = code ?? errno
      throw FileSystemError(
        "\(path)/\(name)", "renamed to \(other)", code: code,
        words: code == EISDIR ? "\(other) is a folder; remove or rename it" : nil)
    }
  }

  /// Makes a symbolic link.
  package func link(_ name: String, to target: String) throws(FileSystemError) {
    let code = Effect.link.systemError("\(path)/\(name)")
    guard code == nil, symlinkat(target, descriptor, name) == 0 else {
      throw FileSystemError("\(path)/\(name)", "created", code: code ?? errno)
    }
  }

  /// Removes a file, a link, or a folder with its content; a name that does not exist is no error.
  package func remove(_ name: String) throws(FileSystemError) {
    let place = "\(path)/\(name)"
    if let code = Effect.remove.systemError(place) {
      throw FileSystemError(place, "removed", code: code)
    }
    try removeAll(name)
  }

  private func removeAll(_ name: String) throws(FileSystemError) {
    if unlinkat(descriptor, name, 0) == 0 || errno == ENOENT { return }
    let code = errno
    guard code == EISDIR || code == EPERM, status(of: name)?.kind == .folder else {
      throw FileSystemError("\(path)/\(name)", "removed", code: code)
    }
    let folder = try folder(name)
    for entry in try folder.entries() { try folder.removeAll(entry.name) }
    guard unlinkat(descriptor, name, AT_REMOVEDIR) == 0 || errno == ENOENT else {
      throw FileSystemError("\(path)/\(name)", "removed", code: errno)
    }
  }

  /// Makes the names in the folder durable.
  package func synchronize() throws(FileSystemError) {
    let code = Effect.synchronize.systemError(path)
    guard code == nil, fsync(descriptor) == 0 else {
      throw FileSystemError(path, "made durable", code: code ?? errno)
    }
  }

  /// The folder for recovered files that `mkfs.ext4` makes in the root of a new disk.
  package static let lostAndFound = "lost+found"

  /// Gives this empty folder of the program to another user, and closes it to all other users.
  ///
  /// A folder that has only what a new disk contains counts as empty. The call uses the descriptor,
  /// so a link that replaces the folder in the meantime has no effect.
  ///
  /// - Returns: False if the folder is not empty or belongs to somebody else; then nothing has
  ///   changed.
  package func giveEmpty(to user: UInt32, _ group: UInt32) throws(FileSystemError) -> Bool {
    if let code = Effect.create.systemError("\(path), for the user \(user)") {
      throw FileSystemError(path, "given away", code: code)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw FileSystemError(path, "given away", code: errno)
    }
    guard status.st_uid == geteuid(),
      try entries().allSatisfy({ $0.name == Self.lostAndFound })
    else { return false }
    guard fchmod(descriptor, 0o700) == 0, fchown(descriptor, user, group) == 0 else {
      throw FileSystemError(path, "given away", code: errno)
    }
    return true
  }
}

import Effects
import Glibc

/// A lock on a file, which the kernel lets go of when its holder dies.
final class FileLock: Sendable {
  enum Mode: Sendable { case shared, exclusive }

  /// The open file; never inherited by a program that does not ask for it.
  let descriptor: Int32
  private let path: String

  /// Opens the lock's file, and makes it for `owner` where it is missing.
  init(_ path: String, owner: ServerUser) throws(PrivateServerError) {
    self.path = path
    // A file that is already there keeps its owner: root must not hand over what a link leads to.
    if let error = Effect.create.systemError(path) { throw Self.cannotOpen(path, error, owner) }
    let made = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if made >= 0 && getuid() == 0 { _ = fchown(made, owner.uid, owner.gid) }
    descriptor = made >= 0 ? made : open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.cannotOpen(path, errno, owner) }
  }

  private static func cannotOpen(
    _ path: String, _ error: Int32, _ owner: ServerUser
  ) -> PrivateServerError {
    PrivateServerError(
      .unusableDirectory, "The lock \(path) cannot be opened: \(errorText(error))",
      remedy: "Make the folder writable for \(owner.name), or choose another state directory.")
  }

  deinit { close(descriptor) }

  /// Takes the lock if nobody is in the way.
  func tryAcquire(_ mode: Mode) -> Bool {
    Effect.lock.systemError(path) == nil && flock(descriptor, mode.operation | LOCK_NB) == 0
  }

  /// Takes the lock, and waits for whoever is in the way.
  func acquire(_ mode: Mode) throws(PrivateServerError) {
    var refusal = Effect.lock.systemError(path)
    while refusal != nil || flock(descriptor, mode.operation) != 0 {
      let error = refusal ?? errno
      refusal = nil
      guard error == EINTR else {
        throw PrivateServerError(
          .unusableDirectory, "The lock \(path) cannot be taken: \(errorText(error))",
          remedy: "Choose a state directory on a local file system.")
      }
    }
  }

  /// Lets go, also for every program that was given the lock.
  func release() {
    _ = flock(descriptor, LOCK_UN)
  }
}

extension FileLock.Mode {
  fileprivate var operation: Int32 {
    switch self {
    case .shared: LOCK_SH
    case .exclusive: LOCK_EX
    }
  }
}

import Effects
import Glibc
import Waiting

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
  ///
  /// - Parameters:
  ///   - limit: How long to wait at most.
  ///   - tell: Told who is waited for, if that takes a moment.
  /// - Throws: ``PrivateServerError`` with `busy`, which names the holder, or with `stopped`.
  func acquire(
    _ mode: Mode, atMost limit: Duration, tell: (String) -> Void
  ) throws(PrivateServerError) {
    var refusal = Effect.lock.systemError(path)
    var wait = Wait(atMost: limit)
    var isTold = false
    while refusal != nil || flock(descriptor, mode.operation | LOCK_NB) != 0 {
      let error = refusal ?? errno
      refusal = nil
      guard error == EINTR || error == EWOULDBLOCK else {
        throw PrivateServerError(
          .unusableDirectory, "The lock \(path) cannot be taken: \(errorText(error))",
          remedy: "Choose a state directory on a local file system.")
      }
      if !isTold, wait.elapsed > .seconds(1) {
        tell("Waiting for \(holder), which holds \(path).")
        isTold = true
      }
      guard wait.pause() else {
        if wait.end == .stop { throw .stopped("while waiting for \(holder), which holds \(path)") }
        throw PrivateServerError(
          .busy,
          "\(path) is still held after \(limit.inSeconds), by \(holder)",
          remedy: "Nothing changed. Run again when that process has ended.")
      }
    }
    if mode == .exclusive { noteHolder() }
  }

  /// Lets go, also for every program that was given the lock.
  func release() {
    _ = flock(descriptor, LOCK_UN)
  }

  /// Who holds the lock, in words.
  private var holder: String {
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    return LockHolder(text)?.words ?? "another process"
  }

  private func noteHolder() {
    let bytes = Array(LockHolder.own.utf8)
    _ = ftruncate(descriptor, 0)
    // It is for people alone: a full disk keeps nobody from the lock.
    _ = pwrite(descriptor, bytes, bytes.count, 0)
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

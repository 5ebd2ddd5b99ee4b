import Effects
import ExactText
import FileSystem
import Glibc
import Waiting

/// A lock on a file.
///
/// The kernel releases it when its holder dies.
final class FileLock: Sendable {
  enum Mode: Sendable { case shared, exclusive }

  /// The open file.
  ///
  /// A child program inherits it only if it is started with this lock.
  let descriptor: Int32
  private let path: String

  /// Opens the lock's file.
  ///
  /// Creates it for `owner` if it does not exist.
  init(_ path: String, owner: ServerUser) throws(PrivateServerError) {
    self.path = path
    // An existing file keeps its owner: it can be a link, and root must not change the owner of the
    // link's target.
    if let error = Effect.create.systemError(path) { throw Self.cannotOpen(path, error, owner) }
    let made = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard made >= 0 || errno == EEXIST else { throw Self.cannotOpen(path, errno, owner) }
    if made >= 0 && getuid() == 0 { _ = fchown(made, owner.uid, owner.gid) }
    descriptor = made >= 0 ? made : open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.cannotOpen(path, errno, owner) }
  }

  /// The error for a lock file that cannot be opened.
  ///
  /// - Parameter error: The number of `errno`.
  static func cannotOpen(
    _ path: String, _ error: Int32, _ owner: ServerUser
  ) -> PrivateServerError {
    let words = systemErrorText(error)
    let act =
      switch error {
      case EACCES where access(path, F_OK) == 0:
        "It must belong to \(owner.name): chown \(owner.name): \(ShellWord.of(path))"
      case ELOOP: "It is a link, which is not followed: remove it, and run again."
      case ENOSPC, EDQUOT, EROFS: remedy(for: words, in: path)
      default: "Make the folder writable for \(owner.name), or choose another state directory."
      }
    return PrivateServerError(
      .unusableDirectory, "The lock \(path) cannot be opened: \(words)", remedy: act)
  }

  deinit { close(descriptor) }

  /// Takes the start lock of a state directory; waits while another command holds it.
  ///
  /// - Throws: As ``acquire(_:atMost:tell:)``.
  static func start(
    of state: StateDirectory, tell: (String) -> Void
  ) throws(PrivateServerError) -> FileLock {
    let lock = try FileLock(state.startLock, owner: state.user)
    try lock.acquire(.exclusive, atMost: Patience.startLock, tell: tell)
    return lock
  }

  /// Takes the lock exclusively if no other process holds it.
  func tryAcquire() -> Bool {
    Effect.lock.systemError(path) == nil && flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  /// Takes the lock; waits while another process holds a conflicting lock.
  ///
  /// - Parameters:
  ///   - limit: The longest time to wait.
  ///   - tell: Called with the holder's name if the wait takes longer than a second.
  /// - Throws: ``PrivateServerError`` with `busy`, which names the holder, with `stopped`, or with
  ///   `unusableDirectory`.
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
          .unusableDirectory, "The lock \(path) cannot be taken: \(systemErrorText(error))",
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

  /// Releases the lock, including that of every program that inherited it.
  func release() {
    _ = flock(descriptor, LOCK_UN)
  }

  /// The holder of the lock, in words.
  private var holder: String {
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    return LockHolder(text)?.words ?? "another process"
  }

  private func noteHolder() {
    let bytes = Array(LockHolder.own.utf8)
    _ = ftruncate(descriptor, 0)
    // The text is only for people: if the disk is full, the lock is valid without it.
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

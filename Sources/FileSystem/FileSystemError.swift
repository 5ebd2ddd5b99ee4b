import Glibc

/// A system call on a file that failed.
public struct FileSystemError: Error, Sendable, CustomStringConvertible {
  /// What it was about.
  public let path: String
  /// What could not be done, as in `cannot be opened`.
  public let action: String
  /// The number of `errno`.
  public let code: Int32
  /// What the system says, or what says more.
  public let words: String

  /// Makes an error; without words the system's own are taken.
  public init(_ path: String, _ action: String, code: Int32, words: String? = nil) {
    self.path = path
    self.action = action
    self.code = code
    self.words = words ?? String(cString: strerror(code))
  }

  /// A link that leads out of the folder that it lies in; the code is `EXDEV`, as of `openat2`.
  static func leadsOut(_ path: String) -> FileSystemError {
    FileSystemError(path, "opened", code: EXDEV, words: "the link leads out of the folder")
  }

  /// One line for people.
  public var description: String { "\(path) cannot be \(action): \(words)" }
}

/// Repeats a system call that a signal has interrupted.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

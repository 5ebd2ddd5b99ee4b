import Glibc

/// A failed system call on a file.
package struct FileSystemError: Error, Sendable, CustomStringConvertible {
  /// The path of the file.
  package let path: String
  /// The action that failed, such as `opened` in `cannot be opened`.
  package let action: String
  /// The number of `errno`.
  package let code: Int32
  /// The system's error text, or a text that explains more.
  package let words: String

  /// Makes an error; without `words` it uses the system's error text.
  package init(_ path: String, _ action: String, code: Int32, words: String? = nil) {
    self.path = path
    self.action = action
    self.code = code
    self.words = words ?? systemErrorText(code)
  }

  /// The error for a link that leads out of its folder; the code is `EXDEV`, as in `openat2`.
  static func leadsOut(_ path: String) -> FileSystemError {
    FileSystemError(path, "opened", code: EXDEV, words: "the link leads out of the folder")
  }

  /// Whether nothing is there: the path leads nowhere, or something in it is not a folder.
  package var isNotThere: Bool { code == ENOENT || code == ENOTDIR }

  /// One line for people.
  package var description: String { "\(path) cannot be \(action): \(words)" }
}

/// The operating system's text for a number of `errno`.
package func systemErrorText(_ code: Int32) -> String { String(cString: strerror(code)) }

/// What to do if something cannot be written.
///
/// - Parameters:
///   - code: The number of `errno`.
///   - elsewhere: What to do instead of making room, if the disk is full or a quota is used up.
///   - otherwise: The whole advice for other errors.
package func adviceOnWriting(_ code: Int32, elsewhere: String, otherwise: String) -> String {
  [ENOSPC, EDQUOT].contains(code) ? "Make room, or \(elsewhere)." : otherwise
}

/// Repeats a system call that a signal has interrupted.
package func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

/// An SQL file of this folder.
///
/// Each file is built into the program as a constant: `load_file.sql` is `SQLFile.loadFile`. The
/// plugin `EmbedText` declares these constants and their list `SQLFile.all`. So a renamed or
/// deleted file fails the build where its constant is used.
package struct SQLFile: Hashable, Sendable, CustomStringConvertible {
  /// The name of the file in sql/, without `.sql`.
  package let name: String
  /// The text of the file.
  package let text: String

  /// A file by its name without `.sql`, and its text.
  package init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
  }

  /// The first word of the name, which is the same in a whole folder: `judge` for `judge_member`.
  package var layer: String { String(name.prefix { $0 != "_" }) }

  /// The name without its layer: `member` for `judge_member`.
  package var subject: String { String(name.drop { $0 != "_" }.dropFirst()) }

  /// The name, which is how tests and logs show it.
  package var description: String { name }
}

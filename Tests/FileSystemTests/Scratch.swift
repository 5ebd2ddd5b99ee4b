import Foundation
import Glibc
import Testing

@testable import FileSystem

/// A folder that is removed after the test, and a file outside it that must not be read or changed
/// through it.
final class Scratch {
  let path: String
  /// The folder under test.
  let inside: OpenFolder
  /// A file next to the folder.
  let secret: String

  init() throws {
    path = NSTemporaryDirectory() + "files-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: "\(path)/inside/a/b", withIntermediateDirectories: true)
    inside = try OpenFolder("\(path)/inside")
    secret = "\(path)/secret"
    try put("secret", at: "../secret")
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes a file; the path is relative to the folder under test.
  func put(_ text: String, at place: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(path)/inside/\(place)"))
  }

  /// Creates a link; the path is relative to the folder under test.
  func link(_ place: String, to target: String) throws {
    try #require(symlink(target, "\(path)/inside/\(place)") == 0)
  }

  func text(_ place: String) -> String? {
    try? String(contentsOfFile: "\(path)/inside/\(place)", encoding: .utf8)
  }
}

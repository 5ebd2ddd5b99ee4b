import Foundation
import Glibc
import Testing

@testable import FileSystem

/// A folder that goes away with the test, with a file outside of it that nobody may read or write through it.
final class Scratch {
  let path: String
  /// The folder that is played with.
  let inside: OpenFolder
  /// A file beside it.
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

  /// Writes a file; the path is below the folder that is played with.
  func put(_ text: String, at place: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(path)/inside/\(place)"))
  }

  /// Makes a link; the path is below the folder that is played with.
  func link(_ place: String, to target: String) throws {
    try #require(symlink(target, "\(path)/inside/\(place)") == 0)
  }

  func text(_ place: String) -> String? {
    try? String(contentsOfFile: "\(path)/inside/\(place)", encoding: .utf8)
  }
}

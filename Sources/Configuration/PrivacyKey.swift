import FileSystem
package import Foundation
import Glibc

/// The key with which names of accounts and devices are hashed.
///
/// No setting contains the key itself, only the path of its file. Printed, the key is the text
/// "(not shown)".
package struct PrivacyKey: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  /// The key itself.
  package let bytes: Data

  /// A text that does not show the key.
  package var description: String { "(not shown)" }
  /// An empty mirror, so that a dump does not show the key either.
  package var customMirror: Mirror { Mirror(self, children: [:]) }

  /// The minimum size, so that nobody can guess the key: 32 hexadecimal digits are 128 bits.
  private static let fewestBytes = 32
  private static let mostBytes = 4096

  /// Reads the key; white space around it does not count.
  ///
  /// - Throws: ``ConfigurationError`` if it cannot be read, or is too short or too long; the
  ///   error never contains the key.
  package init(file: String) throws(ConfigurationError) {
    let unfit = ConfigurationError(
      place: file, problem: "this is not a key for privacy",
      remedy: "make one with: openssl rand -hex 32")
    let read: [UInt8]
    do { read = try FilePlace(anywhere: file).contents(atMost: Self.mostBytes) } catch {
      throw error.code == EFBIG
        ? unfit
        : ConfigurationError(
          place: "privacy_key_file", problem: "the file \(quoted(file)) cannot be read",
          remedy: "check that it is there and that its permissions let this user read it")
    }
    let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0d).contains(byte) }
    let trimmed = read.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
    bytes = Data(trimmed)
    guard bytes.count >= Self.fewestBytes else { throw unfit }
  }
}

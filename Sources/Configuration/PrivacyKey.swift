public import Foundation

/// The key that names of accounts and devices are hashed with.
///
/// It stands in a file and nowhere else, and whatever prints it prints that it is not shown.
public struct PrivacyKey: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  /// The key itself.
  public let bytes: Data

  /// That it is not shown.
  public var description: String { "(not shown)" }
  /// Nothing: a dump must not show it either.
  public var customMirror: Mirror { Mirror(self, children: [:]) }

  /// So that it cannot be found by trying: 32 hexadecimal digits are 128 bits.
  private static let fewestBytes = 32
  private static let mostBytes = 4096

  /// Reads the key; white space around it does not count.
  ///
  /// - Throws: ``ConfigurationError`` if it cannot be read or is too short; its words never repeat it.
  public init(file: String) throws(ConfigurationError) {
    let read: Data
    do {
      let handle = try FileHandle(forReadingFrom: URL(filePath: file))
      defer { try? handle.close() }
      read = try handle.read(upToCount: Self.mostBytes + 1) ?? Data()
    } catch {
      throw ConfigurationError(
        place: "privacy_key_file", problem: "the file \(quoted(file)) cannot be read",
        remedy: "check that it is there and that its permissions let this user read it")
    }
    let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0d).contains(byte) }
    let trimmed = read.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
    bytes = Data(trimmed)
    guard bytes.count >= Self.fewestBytes, read.count <= Self.mostBytes else {
      throw ConfigurationError(
        place: file, problem: "this is no key for privacy",
        remedy: "make one with: openssl rand -hex 32")
    }
  }
}

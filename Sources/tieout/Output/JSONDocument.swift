import Foundation

/// A value as JSON for people and programs: indented, its keys in order, the same each time.
enum JSONDocument {
  static func text(
    of value: some Encodable, keys: JSONEncoder.KeyEncodingStrategy
  ) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = keys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

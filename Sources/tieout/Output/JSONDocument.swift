import Foundation

/// A value as JSON for people and programs: indented, its keys in order, the same each time.
///
/// Characters that could steer a terminal are escaped, as in text.
enum JSONDocument {
  static func text(
    of value: some Encodable, keys: JSONEncoder.KeyEncodingStrategy
  ) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = keys
    return Visible.json(
      String(decoding: try encoder.encode(value), as: UTF8.self), keepingLines: true)
  }
}

import Configuration
import Foundation
import Logging

/// The log of a command.
struct Log {
  let logger: Logger

  /// A log on standard error, for a command that a person types.
  init(_ settings: Settings) {
    self.init(settings, to: .standardError)
  }

  init(_ settings: Settings, to place: LogPlace) {
    var logger = Logger(label: "tieout") { _ in LogLines(format: settings.logFormat, place: place) }
    logger.logLevel = Logger.Level(rawValue: settings.logLevel) ?? .notice
    self.logger = logger
  }
}

/// Writes one line per message: plain text or a JSON object.
private struct LogLines: LogHandler {
  let format: LogFormat
  let place: LogPlace
  var logLevel = Logger.Level.notice
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let time = Date.now.ISO8601Format()
    let facts = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
    let line: String
    switch format {
    case .plain:
      let rest = facts.map { " \($0.key)=\($0.value)" }.joined()
      line = "\(time) \(event.level): \(Visible.text("\(event.message)\(rest)"))"
    case .json:
      var object: [String: Any] = [
        "time": time, "level": "\(event.level)", "message": "\(event.message)",
      ]
      for (key, value) in facts { object[key] = Self.json(value) }
      let data = try? JSONSerialization.data(
        withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
      line = Visible.json(String(decoding: data ?? Data(), as: UTF8.self))
    }
    place.write(line)
  }

  /// A number stays a number; everything else is text.
  private static func json(_ value: Logger.MetadataValue) -> Any {
    switch value {
    case .stringConvertible(let value as Int): value
    case .stringConvertible(let value as Int64): value
    case .stringConvertible(let value as Double): value
    default: "\(value)"
    }
  }
}

/// Escapes text from outside for a terminal.
enum Visible {
  /// Escapes control characters and characters that reverse or hide text, for instance as `\u{1b}`.
  ///
  /// A file name must not control the terminal or look like another name.
  ///
  /// - Parameter keepingLines: Whether line feeds are kept.
  static func text(_ text: String, keepingLines: Bool = false) -> String {
    replaced(text, keepingLines: keepingLines) { "\\u{\(String($0, radix: 16))}" }
  }

  /// Escapes the same characters in JSON syntax.
  static func json(_ text: String) -> String {
    replaced(text, keepingLines: false) { scalar in
      String(scalar, radix: 16).utf8.count <= 4
        ? escaped(scalar)
        // JSON writes a character above U+FFFF as a surrogate pair (RFC 8259, 7).
        : escaped(0xd800 + (scalar - 0x1_0000) >> 10)
          + escaped(0xdc00 + (scalar - 0x1_0000) & 0x3ff)
    }
  }

  private static func escaped(_ unit: UInt32) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }

  private static func replaced(
    _ text: String, keepingLines: Bool, by escape: (UInt32) -> String
  ) -> String {
    var visible = ""
    for scalar in text.unicodeScalars {
      if isHarmless(scalar) || keepingLines && scalar == "\n" {
        visible.unicodeScalars.append(scalar)
      } else {
        visible += escape(scalar.value)
      }
    }
    return visible
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}

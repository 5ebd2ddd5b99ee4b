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

import Configuration
import Foundation
import Logging

/// Log lines on standard error.
struct Log {
  let logger: Logger

  init(_ settings: Settings) {
    var logger = Logger(label: "tieout") { _ in LogLines(format: settings.logFormat) }
    logger.logLevel = Logger.Level(rawValue: settings.logLevel) ?? .notice
    self.logger = logger
  }
}

/// One line a message: plain, or a JSON object.
private struct LogLines: LogHandler {
  let format: LogFormat
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
      var object = ["time": time, "level": "\(event.level)", "message": "\(event.message)"]
      for (key, value) in facts { object[key] = "\(value)" }
      let data = try? JSONSerialization.data(
        withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
      line = String(decoding: data ?? Data(), as: UTF8.self)
    }
    // On a terminal the line may stand where the run shows how far it is.
    FileHandle.standardError.write(Data("\(ProgressBar.lineStart)\(line)\n".utf8))
  }
}

/// Text from outside, made safe for a terminal.
enum Visible {
  /// Control characters as `\u{1b}`: a file name must not steer somebody's terminal.
  static func text(_ text: String) -> String {
    var visible = ""
    for scalar in text.unicodeScalars {
      if scalar.properties.generalCategory == .control {
        visible += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        visible.unicodeScalars.append(scalar)
      }
    }
    return visible
  }
}

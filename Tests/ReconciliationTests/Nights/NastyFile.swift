import Configuration
import Foundation
import ReconciliationTestSupport
import Testing

/// A bad entry of the inbox, made by mistake or on purpose.
struct NastyFile: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The path below the inbox.
  let path: String
  /// The expected rows of rejected_records.csv, each as `line kind reason`; a file has no line.
  let rejections: [String]
  /// The limit of a record's bytes, if the entry is about that limit.
  var documentLimitBytes: Int?
  private let put: @Sendable (_ path: String) throws -> Void

  /// Makes the entry at a path of the file system.
  func make(at place: String) throws { try put(place) }

  /// A file with these bytes.
  init(
    _ name: String, _ path: String, _ rejections: [String],
    bytes: @escaping @Sendable () throws -> [UInt8]
  ) {
    self.init(name, path, rejections) { try Data(bytes()).write(to: URL(filePath: $0)) }
  }

  /// A file with this text.
  init(_ name: String, _ path: String, _ rejections: [String], _ text: String) {
    self.init(name, path, rejections, bytes: { Array(text.utf8) })
  }

  /// An entry that a closure makes at a path.
  init(
    _ name: String, _ path: String, _ rejections: [String],
    made put: @escaping @Sendable (String) throws -> Void
  ) {
    testDescription = name
    self.path = path
    self.rejections = rejections
    self.put = put
  }

  /// The same entry with another limit of a record's bytes.
  func limited(to bytes: Int) -> NastyFile {
    var file = self
    file.documentLimitBytes = bytes
    return file
  }

  /// Puts the entry into a night's inbox, and sets its limit of a record's bytes.
  func put(into night: TestNight) throws {
    let place = night.inbox.appending(path: path)
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try make(at: place.path)
    if let documentLimitBytes { night.settings.documentLimitBytes = documentLimitBytes }
  }
}

extension NastyFile {
  /// A delivery as a CSV row with the columns of ``header``, without a line end.
  static let row = "N1,901,book.emma,failed,2026-11-18T10:00:00Z"
  /// The columns of ``row``.
  static let header = "delivery_id,transaction_id,product_id,status,occurred_at"

  /// A receipt with one transaction that has additional, bad members.
  static func receipt(_ members: String) -> String {
    #"{"status":0,"environment":"Production","receipt":{"bundle_id":"com.example.reader","in_app":["#
      + #"{"transaction_id":"900","product_id":"book.emma","#
      + #""purchase_date":"2026-11-18 10:00:00 Etc/GMT",\#(members)}]}}"# + "\n"
  }

  /// A delivery as a line of NDJSON with additional, bad members.
  ///
  /// If a member occurs twice, the last one counts.
  static func delivery(_ members: String) -> String {
    #"{"delivery_id":"N1","transaction_id":"901","product_id":"book.emma","status":"failed","#
      + #""occurred_at":"2026-11-18T10:00:00Z",\#(members)}"# + "\n"
  }

  /// A receipt without data: Apple was asked in the wrong environment.
  static let silent = #"{"status":21007}"#

  static let thousandDigits = String(repeating: "9", count: 1000)
  static let manyColumns = (1...10_000).map { "c\($0)" }.joined(separator: ",")
}

/// A path as reports show it, with invisible characters made visible.
func shown(_ path: String) -> String {
  var shown = String.UnicodeScalarView()
  for scalar in path.unicodeScalars {
    switch scalar.value {
    case 0..<0x20: shown.append(Unicode.Scalar(0x2400 + scalar.value) ?? scalar)
    case 0x7f: shown.append("\u{2421}")
    case 0x80..<0xa0, 0x2028, 0x2029: shown.append("\u{2426}")
    default: shown.append(scalar.properties.generalCategory == .format ? "\u{2426}" : scalar)
    }
  }
  return String(shown)
}

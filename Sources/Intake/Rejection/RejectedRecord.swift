import CopyFormat

/// What kind of thing was rejected.
enum RejectionKind: String {
  case file, receipt, transaction, delivery, catalogue, client, acknowledgement
}

/// One input that could not be used, on its way into its row.
struct RejectedRecord {
  /// The most characters of an excerpt.
  static let excerptLimit = 200

  let kind: RejectionKind
  let problem: RecordProblem
  let fileID: Int32
  /// Where it begins; none for a whole file.
  let line: Int64?
  /// How many bytes it has, of which not all may be given.
  var length: Int64?

  /// Writes the row: as much of the record as the limit allows, and an excerpt for people.
  ///
  /// Of a whole file only the excerpt is kept: the file itself is at hand. Where names are hashed nothing of
  /// the record is kept: in one that cannot be read nobody knows where a name stands.
  func append(_ record: Bytes, _ settings: IntakeSettings, to rejections: inout CopyBuffer) {
    let limit = settings.rejectionLimitBytes
    rejections.beginRow(columns: 8)
    rejections.integer(fileID)
    if let line { rejections.bigint(line) } else { rejections.null() }
    rejections.text(kind.rawValue)
    rejections.text(problem.code)
    rejections.text(problem.detail)
    if settings.pseudonyms.isHashing {
      rejections.text("")
      rejections.null()
      rejections.bigint(length ?? Int64(record.count))
      return
    }
    let isWholeFile = kind == .file
    // A secret that begins inside of an excerpt is hidden, wherever it ends.
    let enough = isWholeFile ? 4096 : max(limit, 4096)
    let shown = Secrets.hidden(in: record.part(0..<min(record.count, enough)))
    rejections.text(Self.excerpt(shown))
    if isWholeFile { rejections.null() } else { rejections.bytes(shown.prefix(limit)) }
    rejections.bigint(length ?? Int64(record.count))
  }

  /// The first characters, those that cannot be seen made visible.
  static func excerpt(_ bytes: [UInt8]) -> String {
    // Four bytes a character are enough; a character that this cuts lies behind the limit.
    let start = String(decoding: bytes.prefix(excerptLimit * 4), as: UTF8.self)
    return visible(start, limit: excerptLimit)
  }

  /// The first characters of a text, those that cannot be seen made visible.
  static func visible(_ text: String, limit: Int) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(limit) { shown.append(visible(scalar)) }
    return String(shown)
  }

  private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0..<0x20: return Unicode.Scalar(0x2400 + scalar.value) ?? "\u{2426}"
    case 0x7f: return "\u{2421}"
    case 0x80..<0xa0, 0x2028, 0x2029: return "\u{2426}"
    default: return scalar.properties.generalCategory == .format ? "\u{2426}" : scalar
    }
  }
}

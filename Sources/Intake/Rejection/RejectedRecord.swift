import CopyFormat

/// The kind of input that was rejected.
enum RejectionKind: String {
  case file, receipt, transaction, delivery, catalogue, client, acknowledgement
}

/// One input that could not be used, which becomes a row.
struct RejectedRecord {
  /// The maximum number of characters of an excerpt.
  static let excerptLimit = 200

  let kind: RejectionKind
  let problem: RecordProblem
  /// The line in which it begins; nil for a whole file.
  let line: Int64?
  /// Its length in bytes; nil if all its bytes are given.
  var length: Int64?

  /// Writes the row: as much of the record as its share and the limit allow, and an excerpt for
  /// people.
  ///
  /// For a whole file, only the excerpt is kept, because the file itself is available. If names are
  /// hashed, no part of the record is kept, because the place of a name in an unreadable record is
  /// unknown.
  func append(_ record: Bytes, in file: FileContext, to rows: inout StagedRows) {
    let key = RejectionKey(kind: kind, reason: problem.reason, status: problem.status)
    let isOfKey = rows.rejectedInBlock.keyLines.take(record)
    let share = rows.rejectedInBlock.share(of: key, in: file)
    if share == .counted { return }
    let isWhole = share == .whole
    // A detail can quote the record.
    let detail = isWhole ? Secrets.hidden(in: problem.detail) : ""
    rows.noted?.append(NotedRejection(key, line: line, detail: detail, records: 1))
    Self.beginRow(file.fileID, line, key, &rows.rejections)
    rows.rejections.text(detail)
    appendText(
      of: record, isWhole && !file.settings.pseudonyms.isHashing, isOfKey: isOfKey, file.settings,
      &rows.rejections)
    rows.rejections.bigint(length ?? Int64(record.count))
    rows.rejections.bigint(rows.rejectedInBlock.place)
    rows.rejections.bigint(1)
  }

  /// Writes a row for the rejections of a reason that are only counted.
  static func append(
    counted number: Int, of key: RejectionKey, in file: FileContext, to rows: inout StagedRows
  ) {
    rows.noted?.append(NotedRejection(key, line: nil, detail: "", records: number))
    beginRow(file.fileID, nil, key, &rows.rejections)
    rows.rejections.text("")
    rows.rejections.text("")
    rows.rejections.null()
    rows.rejections.bigint(0)
    rows.rejections.null()
    rows.rejections.bigint(Int64(number))
  }

  private static func beginRow(
    _ fileID: Int32, _ line: Int64?, _ key: RejectionKey, _ rejections: inout CopyBuffer
  ) {
    rejections.beginRow(columns: Int16(StagedRows.rejectionColumns.count))
    rejections.integer(fileID)
    if let line { rejections.bigint(line) } else { rejections.null() }
    rejections.text(key.kind.rawValue)
    rejections.text(key.code)
  }

  private func appendText(
    of record: Bytes, _ isKept: Bool, isOfKey: Bool, _ settings: IntakeSettings,
    _ rejections: inout CopyBuffer
  ) {
    guard isKept else {
      rejections.text("")
      rejections.null()
      return
    }
    let limit = settings.rejectionLimitBytes
    let isWholeFile = kind == .file
    // A secret that begins inside of an excerpt is hidden, wherever it ends.
    let enough = isWholeFile ? 4096 : max(limit, 4096)
    let start = record.part(0..<min(record.count, enough))
    let shown =
      isOfKey
      ? start.map { _ in Secrets.asterisk }
      : Secrets.hidden(in: isWholeFile ? Secrets.withoutRows(start) : start)
    rejections.text(Self.excerpt(shown))
    if isWholeFile { rejections.null() } else { rejections.bytes(shown.prefix(limit)) }
  }

  /// The first characters; a visible character replaces each one that cannot be seen.
  static func excerpt(_ bytes: [UInt8]) -> String {
    // Four bytes for each character are enough; a character that this cuts is after the limit.
    let start = String(decoding: bytes.prefix(excerptLimit * 4), as: UTF8.self)
    return visible(start, limit: excerptLimit)
  }

  /// The first characters of a text; a visible character replaces each one that cannot be seen.
  static func visible(_ text: String, limit: Int) -> String {
    // Almost every text is printable ASCII, and a file can have millions of bad records.
    if text.utf8.count <= limit, text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) {
      return text
    }
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

extension StagedRows {
  /// The columns of `staging_rejection`, in the order in which a row's values are written.
  package static let rejectionColumns = [
    "file_id", "line", "kind", "reason", "detail", "excerpt", "raw", "raw_bytes", "place",
    "records",
  ]
}

/// Shapes that are recognized but not read, each with its name and with advice.
enum KnownShape {
  /// The problem of a text in a known shape that is not read; nil if the shape is unknown.
  static func ofText(_ bytes: Bytes) -> RecordProblem? {
    let start = bytes.part(0..<min(bytes.count, 64 << 10)).trimmed
    if let report = AppleReportHeader(header: start.firstLine) { return report.problem }
    if start.starts(with: "<!DOCTYPE html") || start.starts(with: "<html") {
      return problem("a web page", "fetch the document itself; the page may be an error message")
    }
    if isQuotedPrintable(start) {
      return problem(
        "quoted-printable, as mail is sent", "decode the mail and put only the receipt here")
    }
    if start.starts(with: "---") || start.starts(with: "%YAML") {
      return problem("YAML", "write it as JSON")
    }
    return nil
  }

  /// The problem of a binary file in a known shape; nil if the shape is unknown.
  static func ofBinary(_ bytes: Bytes) -> RecordProblem? {
    if let compression = Compression(startingWith: Array(bytes.prefix(Compression.signatureBytes)))
    {
      return RecordProblem(
        .notText, "The file is compressed twice, inside with \(compression); compress it once.")
    }
    for (start, what, remedy) in binaryStarts where bytes.starts(with: start) {
      return RecordProblem(.notText, "The file is \(what); \(remedy).")
    }
    return nil
  }

  private static let export = "export the records as CSV or NDJSON"

  private static let binaryStarts: [(start: [UInt8], what: String, remedy: String)] = [
    ([0x50, 0x4b, 3, 4], "a ZIP archive or a spreadsheet", "unpack it, or save the sheet as CSV"),
    (Array("SQLite format 3".utf8), "an SQLite database", export),
    (Array("PGDMP".utf8), "an archive of pg_dump", export),
    (Array("%PDF".utf8), "a PDF", export), (Array("PAR1".utf8), "a Parquet file", export),
  ]

  private static func problem(_ what: String, _ remedy: String) -> RecordProblem {
    RecordProblem(.unknownFormat, "This is \(what), which Tieout does not read; \(remedy).")
  }

  /// Whether most lines end as in quoted-printable (RFC 2045), or the text has other signs of it.
  private static func isQuotedPrintable(_ text: Bytes) -> Bool {
    if text.contains("quoted-printable") { return true }
    var lines = 0
    var soft = 0
    for line in NonBlankLines(text, isWhole: true) {
      lines += 1
      if line.last == UInt8(ascii: "="), line.count >= 70, line.count <= 76 { soft += 1 }
      if lines == 100 { break }
    }
    return soft > 0 && soft * 2 > lines - 1 || text.contains("=3D=3D") || text.contains("=3D\"")
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The bytes before the end of the first line.
  fileprivate var firstLine: Bytes { part(0..<(position(of: Byte.lineFeed) ?? count)).trimmed }
}

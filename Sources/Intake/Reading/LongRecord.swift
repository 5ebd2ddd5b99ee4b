/// A record that is longer than the limit, and is dropped without holding all of it in memory.
///
/// It can be terabytes long. So it is dropped piece by piece, and the caller can stop after each.
struct LongRecord {
  private enum Form {
    /// It ends with its line.
    case line
    case row(LongRow)
    case value(JSONBrackets)
    /// It ends with the file.
    case file
  }

  /// What its rejection shows.
  struct Rejection {
    let kind: RejectionKind
    let start: UnreadBytes.Taken
  }

  /// The number of bytes after which a piece ends.
  private static let pieceBytes: Int64 = 1 << 20

  private var form: Form
  /// The number of bytes that were dropped, without the line end of the record.
  private(set) var length: Int64 = 0

  private init(_ form: Form) {
    self.form = form
  }

  /// A record that a framing cuts; `limit` is the most bytes of a record that can be used.
  init(_ framing: LineFraming, limit: Int) {
    if case .csv(let scanner) = framing {
      self.init(.row(LongRow(scanner, limit: limit)))
    } else {
      self.init(.line)
    }
  }

  /// A JSON value, which ends with its last bracket or quote.
  static var value: LongRecord { LongRecord(.value(JSONBrackets())) }

  /// A record that ends with the file.
  static var file: LongRecord { LongRecord(.file) }

  /// Drops the next piece with the line end of the record; returns whether the record has ended.
  mutating func dropPiece(from unread: UnreadBytes) -> Bool {
    let end = length + Self.pieceBytes
    while unread.count > 0 {
      guard length < end else { return false }
      if dropNext(from: unread) { return true }
    }
    return true
  }

  /// Drops the available bytes of the record, and reads more if it has not ended.
  private mutating func dropNext(from unread: UnreadBytes) -> Bool {
    let end: Int?
    var lineEnd = 0
    switch form {
    case .row(var row):
      let lines = row.dropLines(from: unread)
      form = .row(row)
      length += Int64(lines.length)
      if !lines.hasEnded, unread.count == 0 { unread.fill(row.limit) }
      return lines.hasEnded
    case .line:
      end = unread.bytes.position(of: Byte.lineFeed)
      lineEnd = 1
    case .value(var brackets):
      end = brackets.end(in: unread.bytes)
      form = .value(brackets)
    case .file: end = nil
    }
    length += Int64(end ?? unread.count)
    unread.drop(end.map { $0 + lineEnd } ?? unread.count)
    if end == nil { unread.fill(unread.blockBytes) }
    return end != nil
  }
}

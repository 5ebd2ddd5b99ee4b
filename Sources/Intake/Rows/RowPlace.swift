/// The place of a row's record.
struct RowPlace {
  let fileID: Int32
  let line: Int64
  /// The JSON pointer of the document in its record; nil if the record is the document.
  var pointer: Bytes?
}

extension RecordParser {
  /// Writes a row: its place, the hash of its content, and the content, which `content` writes.
  func encodeRow(
    _ place: RowPlace, columns: [String], _ content: () throws(RecordProblem) -> Void
  ) throws(RecordProblem) {
    personTexts.begin()
    row.begin(columns: Int16(columns.count))
    row.integer(place.fileID)
    row.bigint(place.line)
    let hashOffset = row.hashLater()
    let begin = row.count
    try content()
    row.fill(at: hashOffset, hash: row.hash(from: begin))
  }
}

import CopyFormat

extension RecordParser {
  /// Turns one JSON delivery into a row.
  func parseDelivery(
    _ record: RawRecord, in file: FileContext, into rows: inout StagedRows
  ) {
    do throws(RecordProblem) {
      let value = try object(of: record, called: "A delivery")
      let slots = deliverySlots(for: file)
      slots.read(value)
      try take(slots, in: file)
      try encodeDelivery(RowPlace(fileID: file.fileID, line: record.line), in: file)
      rows.deliveries.append(encodedRow: row.bytes)
      rows.countsInBlock.count(record, .delivery)
    } catch {
      reject(record, .delivery, record.explained(error), in: file, &rows)
    }
    json.trim()
  }
}

extension RecordParser {
  /// Reads the raw receipts of a JSON record and nothing else; `envelope` must hold the record.
  ///
  /// Most records are answers of `verifyReceipt`; one look at their members tells that.
  func parseRawReceipts(
    _ handed: HandedIn, _ rows: inout StagedRows, _ counts: inout FileCounts
  ) throws(RecordProblem) {
    guard envelope[.receiptData] != nil || envelope[.payload] != nil else { return }
    var handed = handed
    handed.beside = try readEnvelope(in: handed.file)
    _ = try parseReceiptTexts(handed, &rows, &counts)
  }

  /// Notes a receipt that was verified and is ours, if anybody wants to know.
  func noteRawReceipt(_ bytes: [UInt8], _ handed: HandedIn) {
    guard seeksRawReceipts else { return }
    rawReceipts.append(
      RawReceipt(
        bytes: bytes, accountID: handed.beside.accountID?.string,
        deviceID: handed.beside.deviceID?.string, storefront: handed.beside.storefront?.string,
        line: handed.record.line))
  }

  /// Hands out what was noted since the last time.
  func takeRawReceipts() -> [RawReceipt] {
    defer { rawReceipts = [] }
    return rawReceipts
  }
}

extension RecordParser {
  /// Reads the raw receipts of a JSON record and nothing else; `envelope` must hold the record.
  ///
  /// Most records are answers of `verifyReceipt` or signed texts; their members show this at once.
  /// Any other record may contain a receipt in another place.
  func parseRawReceipts(
    _ handed: HandedIn, _ rows: inout StagedRows
  ) throws(RecordProblem) {
    noteUnreadMembers()
    guard envelope[.receiptData] != nil || envelope[.payload] != nil else {
      guard isWithoutRawReceipts else { throw .notAReceipt("it has none of the known forms") }
      return
    }
    var handed = handed
    handed.beside = try readEnvelope(from: envelope, in: handed.file, around: handed.beside)
    var problem: RecordProblem?
    _ = parseReceiptTexts(handed, &problem, &rows)
    if let problem { throw problem }
  }

  /// Notes whether the answer in the record has members in which a raw receipt could be.
  private func noteUnreadMembers() {
    let answer = envelope[.verifyReceiptResponse] ?? envelope[.unifiedReceipt]
    if let answer, answer.isObject {
      response.read(answer)
      if response.hasOthers || response[.receiptData] != nil { hasUnreadMembers = true }
    }
    let own = answer == nil ? envelope[.receipt] : response[.receipt]
    if let own, own.isObject {
      receipt.read(own)
      if receipt.hasOthers || receipt[.receiptData] != nil { hasUnreadMembers = true }
    }
  }

  /// Whether the record in `envelope` is in a form that contains no raw receipt.
  private var isWithoutRawReceipts: Bool {
    for field in [
      DocumentField.signedTransactionInfo, .signedPayload, .signedTransactions,
      .notificationHistory,
    ] where envelope[field] != nil { return true }
    if envelope[.receipt]?.isObject == true || envelope[.verifyReceiptResponse]?.isObject == true {
      return true
    }
    let status = envelope[.status]?.wholeNumber
    return status.map { AppleStatus.isOfReceipt($0) } ?? false
  }

  /// Notes a receipt that was verified and is of one of our apps, if raw receipts are wanted.
  func noteRawReceipt(_ bytes: [UInt8], _ handed: HandedIn) {
    guard seeksRawReceipts else { return }
    rawReceipts.append(
      RawReceipt(
        bytes: bytes, accountID: handed.beside.accountID?.string,
        deviceID: handed.beside.deviceID?.string, storefront: handed.beside.storefront?.string,
        line: handed.record.line))
  }

  /// Returns the receipts that were noted since the last call.
  func takeRawReceipts() -> [RawReceipt] {
    defer { rawReceipts = [] }
    return rawReceipts
  }
}

/// The refund in the `cancellation_date` of a notification of version 1, beside its transactions.
///
/// It belongs to the subscription purchase that the notification names (`web_order_line_item_id`),
/// or else to its only transaction.
struct NotifiedCancellation {
  /// When the App Store cancelled the transaction, in seconds since 1970.
  let at: Int64
  /// The subscription purchase that was cancelled, if the notification names it.
  let webOrderLineItemID: Bytes?
  /// The only transaction of a notification that names no subscription purchase.
  let transactionID: Bytes?
  /// Whether one of the transactions contains the refund itself or gets it from here.
  let isPlaced: Bool

  /// Whether this is the refund of a transaction.
  func applies(to transactionID: Bytes, _ lineItem: Bytes?) -> Bool {
    if let webOrderLineItemID {
      return lineItem.map { $0.elementsEqual(webOrderLineItemID) } ?? false
    }
    return self.transactionID.map { $0.elementsEqual(transactionID) } ?? false
  }
}

extension RecordParser {
  /// Reads the refund beside the transactions of a notification, whose members are in `envelope`.
  func readCancellation(
    of lists: [ReceiptDocument.List]
  ) throws(RecordProblem) -> NotifiedCancellation? {
    let date = try JSONField.instant(
      milliseconds: envelope[.cancellationDateMilliseconds], text: envelope[.cancellationDate],
      DocumentField.cancellationDate.name)
    guard let date else { return nil }
    let lineItem = FieldText.lineItem(
      try JSONField.identifier(
        envelope[.webOrderLineItemID], DocumentField.webOrderLineItemID.name, documentTexts))
    var only: Bytes?
    var hasSeveral = false
    var isPlaced = false
    forEachEntry(of: lists) { transactionID, own in
      if let only { hasSeveral = hasSeveral || !only.elementsEqual(transactionID) }
      if only == nil { only = documentTexts.keep(transactionID) }
      let isIt = lineItem.map { item in own.lineItem?.elementsEqual(item) ?? false } ?? false
      isPlaced = isPlaced || isIt || own.cancelledAt == date
    }
    let transactionID = lineItem == nil && !hasSeveral ? only : nil
    return NotifiedCancellation(
      at: date, webOrderLineItemID: lineItem, transactionID: transactionID,
      isPlaced: isPlaced || transactionID != nil)
  }

  /// Calls a closure with each entry that has an identifier, its line item and its own refund.
  private func forEachEntry(
    of lists: [ReceiptDocument.List],
    _ body: (_ transactionID: Bytes, _ own: (lineItem: Bytes?, cancelledAt: Int64?)) -> Void
  ) {
    func read(_ entry: JSONValue) {
      guard entry.isObject else { return }
      entryTexts.begin()
      transaction.read(entry)
      func identifier(_ field: TransactionField) -> Bytes? {
        try? JSONField.identifier(transaction[field], field.name, entryTexts)
      }
      guard let transactionID = identifier(.transactionID) else { return }
      let cancelledAt = try? JSONField.instant(
        milliseconds: transaction[.cancellationDateMilliseconds],
        text: transaction[.cancellationDate], TransactionField.cancellationDate.name)
      body(transactionID, (identifier(.webOrderLineItemID), cancelledAt))
    }
    for list in lists {
      if list.value.isArray { list.value.forEachElement(read) } else { read(list.value) }
    }
  }
}

extension RecordProblem {
  /// A refund whose transaction is unknown.
  static let unplacedCancellation = RecordProblem(
    .missingField,
    "The notification has a cancellation_date, and web_order_line_item_id names none of its "
      + "transactions; ask Apple for the receipt again, which has the refund in its transaction.")
}

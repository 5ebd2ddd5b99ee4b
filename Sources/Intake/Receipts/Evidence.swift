/// Where a row's record stands.
struct RowPlace {
  let fileID: Int32
  let line: Int64
}

/// What was encoded of a transaction, beside the row itself.
struct EncodedStatement {
  let hash: StatementHash
  let evidenceAt: Int64
  /// Where the row's `evidence_at` lies in it.
  let evidenceOffset: Int
}

extension RecordParser {
  /// Encodes what one entry says of a transaction; the row is then in `row`.
  func encode(
    _ entry: JSONValue, _ list: ReceiptDocument.List, _ document: ReceiptDocument, _ place: RowPlace
  ) throws(RecordProblem) -> EncodedStatement {
    guard entry.isObject else {
      throw RecordProblem(
        .notATransaction,
        "An entry of the receipt's list is no object; send the receipt as it came.")
    }
    entryTexts.begin()
    transaction.read(entry)
    guard let transactionID = try identifier(.transactionID) else {
      throw .missing("transaction_id")
    }
    guard
      let productID = try JSONField.name(transaction[.productID], "product_id", entryTexts)
    else { throw .missing("product_id") }
    guard let purchasedAt = try instant(.purchaseDateMilliseconds, .purchaseDate) else {
      throw .missing("purchase_date")
    }
    row.begin(columns: 24)
    row.integer(place.fileID)
    row.bigint(place.line)
    let content = row.count
    row.text(document.environment)
    row.text(transactionID)
    let hashOffset = row.uuidLater()
    let evidenceOffset = row.timestampLater()
    row.text(try identifier(.originalTransactionID))
    row.text(productID)
    row.bigint(try quantity())
    row.timestamp(purchasedAt)
    row.timestamp(try instant(.originalPurchaseDateMilliseconds, .originalPurchaseDate))
    row.timestamp(try instant(.expiresDateMilliseconds, .expiresDate))
    row.timestamp(try instant(.cancellationDateMilliseconds, .cancellationDate))
    row.text(try webOrderLineItemID())
    row.boolean(JSONField.flag(transaction[.isTrialPeriod]))
    row.boolean(JSONField.flag(transaction[.isInIntroOfferPeriod]))
    row.boolean(isSaid(.promotionalOfferID) || isSaid(.offerCodeRefName))
    row.boolean(transaction[.inAppOwnershipType]?.string?.equals("FAMILY_SHARED") ?? false)
    row.boolean(JSONField.flag(transaction[.isUpgraded]))
    try encodePrice()
    row.text(try identifier(.storefront) ?? document.storefront)
    row.text(document.accountID)
    row.text(document.deviceID)
    let evidenceAt = list.evidenceAt ?? document.receivedAt ?? purchasedAt
    let hash = row.hash(from: content)
    row.fill(at: hashOffset, hash)
    row.fill(at: evidenceOffset, timestamp: evidenceAt)
    return EncodedStatement(hash: hash, evidenceAt: evidenceAt, evidenceOffset: evidenceOffset)
  }

  @inline(__always)
  private func identifier(_ field: TransactionField) throws(RecordProblem) -> Bytes? {
    try JSONField.identifier(transaction[field], field.name, entryTexts)
  }

  @inline(__always)
  private func instant(
    _ milliseconds: TransactionField, _ text: TransactionField
  ) throws(RecordProblem) -> Int64? {
    try JSONField.instant(
      milliseconds: transaction[milliseconds], text: transaction[text], text.name)
  }

  @inline(__always)
  private func quantity() throws(RecordProblem) -> Int64? {
    guard
      let text = try JSONField.text(
        transaction[.quantity], "quantity", or: .badQuantity, entryTexts)
    else { return nil }
    guard let quantity = FieldText.wholeNumber(text), quantity >= 1, quantity <= 1_000_000_000
    else {
      throw RecordProblem(
        .badQuantity, "quantity is no whole number from 1 to 1000000000; correct it at the source.")
    }
    return quantity
  }

  /// The subscription purchase; where there is none, archives say 0.
  @inline(__always)
  private func webOrderLineItemID() throws(RecordProblem) -> Bytes? {
    guard let text = try identifier(.webOrderLineItemID), !text.equals("0") else { return nil }
    return text
  }

  /// Whether a field says anything.
  @inline(__always)
  private func isSaid(_ field: TransactionField) -> Bool {
    guard let value = transaction[field] else { return false }
    return value.string?.isEmpty != true
  }

  /// A price without its currency, or a currency without a price, says nothing.
  private func encodePrice() throws(RecordProblem) {
    guard isSaid(.price), isSaid(.currency), let price = transaction[.price],
      let currency = transaction[.currency]
    else {
      row.null()
      row.null()
      return
    }
    row.text(try JSONField.amount(price, "price", entryTexts))
    guard let code = currency.string, FieldText.isCurrency(code) else {
      throw .badCurrency("currency")
    }
    row.text(code)
  }
}

extension RecordProblem {
  static func badCurrency(_ name: String) -> RecordProblem {
    RecordProblem(
      .badAmount, "\(name) is not three capital letters as in ISO 4217; write it like USD.")
  }
}

/// The data about an encoded transaction, in addition to the row itself.
struct EncodedEvidence {
  let hash: ContentHash
  let evidenceAt: Int64
  /// The place of `evidence_at` in the row.
  let evidenceOffset: Int
}

extension RecordParser {
  /// Encodes the facts about a transaction; the row is then in `row`.
  func encode(_ said: TransactionEvidence, _ place: RowPlace) -> EncodedEvidence {
    row.begin(columns: Int16(StagedRows.evidenceColumns.count))
    row.integer(place.fileID)
    row.bigint(place.line)
    row.text(place.pointer)
    let content = row.count
    row.text(Environment.code(of: said.environment))
    row.identifier(said.transactionID)
    let hashOffset = row.uuidLater()
    let evidenceOffset = row.timestampLater()
    row.identifier(said.originalTransactionID)
    row.text(said.productID)
    row.bigint(said.quantity)
    row.timestamp(said.purchasedAt)
    row.timestamp(said.originalPurchasedAt)
    row.timestamp(said.expiresAt)
    row.timestamp(said.cancelledAt)
    row.identifier(said.webOrderLineItemID)
    row.boolean(said.isTrial)
    row.boolean(said.isIntroductoryOffer)
    row.boolean(said.isPromotionalOffer)
    row.boolean(said.isFamilyShared)
    row.boolean(said.isUpgraded)
    row.text(said.price)
    row.text(said.currency)
    row.text(said.storefront)
    row.text(said.accountID)
    row.text(said.deviceID)
    row.boolean(said.trust == .signed)
    row.boolean(said.isSignedTransaction)
    row.text(said.productType?.bytes)
    row.integer(said.revocationPercentage)
    row.text(said.accountToken)
    row.boolean(said.datesDisagree)
    row.boolean(said.environmentsDisagree)
    let hash = row.hash(from: content)
    row.fill(at: hashOffset, hash)
    row.fill(at: evidenceOffset, timestamp: said.evidenceAt)
    return EncodedEvidence(
      hash: hash, evidenceAt: said.evidenceAt, evidenceOffset: evidenceOffset)
  }

  /// Reads the facts about a transaction from one entry of a `verifyReceipt` answer.
  func read(
    _ entry: JSONValue, _ list: ReceiptDocument.List, _ document: ReceiptDocument
  ) throws(RecordProblem) -> TransactionEvidence {
    guard entry.isObject else {
      throw RecordProblem(
        .notATransaction,
        "An entry of the receipt's list is not an object; send the receipt as it came.")
    }
    entryTexts.begin()
    transaction.read(entry)
    try transaction.requireOneName(of: TransactionField.allCases) { names in
      RecordProblem(.notATransaction, "\(names); send the receipt as it came.")
    }
    guard let transactionID = try identifier(.transactionID) else {
      throw .missing("transaction_id")
    }
    guard
      let productID = try JSONField.name(transaction[.productID], "product_id", entryTexts)
    else { throw .missing("product_id") }
    guard let purchasedAt = try instant(.purchaseDateMilliseconds, .purchaseDate) else {
      throw .missing("purchase_date")
    }
    var said = TransactionEvidence(
      environment: document.environment, transactionID: transactionID, productID: productID,
      purchasedAt: purchasedAt, trust: .appleResponse)
    said.evidenceAt = list.evidenceAt ?? document.beside.receivedAt ?? purchasedAt
    said.originalTransactionID = try identifier(.originalTransactionID)
    said.quantity = try quantity()
    said.originalPurchasedAt = try instant(.originalPurchaseDateMilliseconds, .originalPurchaseDate)
    said.expiresAt = try instant(.expiresDateMilliseconds, .expiresDate)
    said.cancelledAt = try instant(.cancellationDateMilliseconds, .cancellationDate)
    said.webOrderLineItemID = FieldText.lineItem(try identifier(.webOrderLineItemID))
    if said.cancelledAt == nil, let cancellation = document.cancellation,
      cancellation.applies(to: transactionID, said.webOrderLineItemID)
    {
      said.cancelledAt = cancellation.at
    }
    said.isTrial = try flag(.isTrialPeriod)
    said.isIntroductoryOffer = try flag(.isInIntroOfferPeriod)
    said.isPromotionalOffer = namesOffer(.promotionalOfferID) || namesOffer(.offerCodeRefName)
    said.isFamilyShared =
      transaction[.inAppOwnershipType]?.string?.equals("FAMILY_SHARED") ?? false
    said.isUpgraded = try flag(.isUpgraded)
    try readPrice(into: &said)
    said.storefront = try identifier(.storefront) ?? document.beside.storefront
    said.accountID = document.beside.accountID
    said.deviceID = document.beside.deviceID
    said.datesDisagree =
      disagree(.purchaseDateMilliseconds, .purchaseDate)
      || disagree(.originalPurchaseDateMilliseconds, .originalPurchaseDate)
      || disagree(.expiresDateMilliseconds, .expiresDate)
      || disagree(.cancellationDateMilliseconds, .cancellationDate) || said.isRefundedTooEarly
    said.environmentsDisagree = document.environmentsDisagree
    return said
  }

  @inline(__always)
  private func disagree(_ milliseconds: TransactionField, _ text: TransactionField) -> Bool {
    JSONField.disagree(milliseconds: transaction[milliseconds], text: transaction[text])
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
  private func flag(_ field: TransactionField) throws(RecordProblem) -> Bool {
    try JSONField.flag(transaction[field], field.name)
  }

  @inline(__always)
  private func quantity() throws(RecordProblem) -> Int64? {
    guard
      let text = try JSONField.text(
        transaction[.quantity], "quantity", or: .badQuantity, entryTexts)
    else { return nil }
    guard let quantity = FieldText.wholeNumber(text), FieldText.quantities.contains(quantity) else {
      throw .badQuantity
    }
    return quantity
  }

  /// Whether a field has a value that is more than an empty text.
  @inline(__always)
  private func isSaid(_ field: TransactionField) -> Bool {
    guard let value = transaction[field] else { return false }
    return value.string?.isEmpty != true
  }

  /// Whether a field names an offer; archives write false or 0 if there is none.
  private func namesOffer(_ field: TransactionField) -> Bool {
    guard let value = transaction[field] else { return false }
    return JSONField.truth(of: value) != false
  }

  /// Reads a price and its currency; one without the other is ignored.
  private func readPrice(into said: inout TransactionEvidence) throws(RecordProblem) {
    guard isSaid(.price), isSaid(.currency), let price = transaction[.price],
      let currency = transaction[.currency]
    else { return }
    said.price = try JSONField.amount(price, "price", entryTexts)
    guard let code = currency.string, FieldText.isCurrency(code) else {
      throw .badCurrency("currency")
    }
    said.currency = code
  }
}

extension RecordProblem {
  static let badQuantity = RecordProblem(
    .badQuantity, "quantity is not a whole number from 1 to 1000000000; correct it at the source.")

  static func badCurrency(_ name: String) -> RecordProblem {
    RecordProblem(
      .badAmount, "\(name) is not three capital letters as in ISO 4217; write it like USD.")
  }
}

extension StagedRows {
  /// The columns of `staging_evidence`, in the order in which a row's values are written.
  package static let evidenceColumns = [
    "file_id", "line", "pointer", "environment_code", "transaction_number", "transaction_id",
    "content_hash", "evidence_at", "original_number", "original_transaction_id", "product_id",
    "quantity", "purchased_at", "original_purchased_at", "expires_at", "cancelled_at",
    "line_item_number", "web_order_line_item_id", "is_trial", "is_introductory_offer",
    "is_promotional_offer", "is_family_shared", "is_upgraded", "price_text", "currency",
    "storefront", "account_id", "device_id", "is_signed", "is_signed_transaction", "product_type",
    "revocation_percentage", "account_token", "dates_disagree", "environments_disagree",
  ]
}

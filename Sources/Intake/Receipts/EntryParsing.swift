extension RecordParser {
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
    try transaction.requireSpelling()
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

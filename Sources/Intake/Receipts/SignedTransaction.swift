extension RecordParser {
  /// Reads the facts of a signed transaction; its payload is in `signed`.
  func readSignedTransaction(
    _ beside: EvidenceEnvelope, in file: FileContext
  ) throws(RecordProblem) -> TransactionEvidence {
    entryTexts.begin()
    guard let transactionID = try identifier(.transactionId) else {
      throw .missing("transactionId")
    }
    guard let productID = try JSONField.name(signed[.productId], "productId", entryTexts) else {
      throw .missing("productId")
    }
    guard let purchasedAt = try instant(.purchaseDate) else { throw .missing("purchaseDate") }
    var said = TransactionEvidence(
      environment: Environment.named(try identifier(.environment)) ?? Environment.production,
      transactionID: transactionID, productID: productID, purchasedAt: purchasedAt, trust: .signed)
    said.isSignedTransaction = true
    said.evidenceAt = try instant(.signedDate) ?? purchasedAt
    said.originalTransactionID = try identifier(.originalTransactionId)
    said.quantity = try quantity()
    said.originalPurchasedAt = try instant(.originalPurchaseDate)
    said.expiresAt = try instant(.expiresDate)
    said.webOrderLineItemID = FieldText.lineItem(try identifier(.webOrderLineItemId))
    said.productType = ProductType(signed: signed[.type]?.string)
    said.accountToken = person(
      try JSONField.name(signed[.appAccountToken], "appAccountToken", entryTexts), in: file,
      entryTexts)
    said.isFamilyShared = signed[.inAppOwnershipType]?.string?.equals("FAMILY_SHARED") ?? false
    said.cancelledAt = try instant(.revocationDate)
    if said.cancelledAt != nil { said.revocationPercentage = try revocationPercentage() }
    said.isUpgraded = try JSONField.flag(signed[.isUpgraded], SignedField.isUpgraded.name)
    try readOffer(into: &said)
    try readPrice(into: &said)
    said.storefront = try identifier(.storefront) ?? beside.storefront
    said.accountID = beside.accountID
    said.deviceID = beside.deviceID
    return said
  }

  private func identifier(_ field: SignedField) throws(RecordProblem) -> Bytes? {
    try JSONField.identifier(signed[field], field.name, entryTexts)
  }

  private func instant(_ field: SignedField) throws(RecordProblem) -> Int64? {
    guard let value = signed[field] else { return nil }
    guard let milliseconds = SignedDate.milliseconds(of: value),
      let instant = Instant.seconds(milliseconds: milliseconds)
    else {
      throw RecordProblem(
        .badDate,
        "\(field.name) is not a number of milliseconds in the years 1 to 9999; ask Apple again.")
    }
    return try Instant.ofApple(instant, field.name)
  }

  private func quantity() throws(RecordProblem) -> Int64? {
    guard let value = signed[.quantity] else { return nil }
    guard let quantity = wholeNumber(value), FieldText.quantities.contains(quantity) else {
      throw .badQuantity
    }
    return quantity
  }

  private func wholeNumber(_ value: JSONValue) -> Int64? {
    value.double.flatMap { Int64(exactly: $0) } ?? value.wholeNumber
  }

  /// The part of the price that was refunded, in thousandths of a per cent.
  private func revocationPercentage() throws(RecordProblem) -> Int32? {
    guard let type = signed[.revocationType]?.string else { return nil }
    if type.equals("REFUND_FULL") { return 100_000 }
    guard type.equals("REFUND_PRORATED"), let value = signed[.revocationPercentage] else {
      return nil
    }
    guard let part = wholeNumber(value), (0...100_000).contains(part) else {
      throw RecordProblem(
        .badNumber, "revocationPercentage is not a whole number from 0 to 100000; ask Apple again.")
    }
    return Int32(part)
  }

  /// Reads the offer: 1 is an introductory offer, and every other number is a promotional one.
  ///
  /// Numbers that Apple adds later count as promotional too.
  private func readOffer(into said: inout TransactionEvidence) throws(RecordProblem) {
    said.isTrial = signed[.offerDiscountType]?.string?.equals("FREE_TRIAL") ?? false
    guard let value = signed[.offerType] else { return }
    guard let offer = wholeNumber(value) else {
      throw RecordProblem(.badNumber, "offerType is not a whole number; ask Apple again.")
    }
    said.isIntroductoryOffer = offer == 1
    said.isPromotionalOffer = offer != 1
  }

  /// Reads the price in thousandths of its currency; a price without a currency is ignored.
  private func readPrice(into said: inout TransactionEvidence) throws(RecordProblem) {
    guard let value = signed[.price], let currency = signed[.currency]?.string, !currency.isEmpty
    else { return }
    guard let thousandths = wholeNumber(value), thousandths >= 0 else {
      throw RecordProblem(
        .badAmount, "price is not a whole number of thousandths of at least zero; ask Apple again.")
    }
    guard FieldText.isCurrency(currency) else { throw .badCurrency("currency") }
    said.price = entryTexts.keep(Amount.decimal(thousandths: thousandths).utf8)
    said.currency = currency
  }
}

extension ProductType {
  /// The product type from the `type` of a signed transaction; nil for an unknown word, as Apple
  /// can add words.
  init?(signed word: Bytes?) {
    guard let word else { return nil }
    if word.equals("Auto-Renewable Subscription") {
      self = .autoRenewable
    } else if word.equals("Non-Consumable") {
      self = .nonConsumable
    } else if word.equals("Consumable") {
      self = .consumable
    } else if word.equals("Non-Renewing Subscription") {
      self = .nonRenewing
    } else {
      return nil
    }
  }
}

import SignatureVerification

extension RecordParser {
  /// Turns an app receipt into rows: one document, and a transaction for each of its purchases.
  func parseAppReceipt(
    _ bytes: [UInt8], _ handed: HandedIn, _ rows: inout StagedRows
  ) throws(RecordProblem) {
    let receipt = try RecordProblem.checking { () throws(VerificationProblem) in
      try verifier(for: handed.file).appReceipt(bytes)
    }
    try handed.file.requireOurs(receipt.bundleID)
    guard receipt.purchaseCount <= AppReceipt.purchaseLimit else {
      throw .tooManyEntries(receipt.purchaseCount)
    }
    let createdAt = try PurchaseTexts.instant(receipt.createdAt, "the receipt's creation date")
    seen.begin()
    for purchase in receipt.purchases {
      let texts = PurchaseTexts(
        purchase, environment: receipt.receiptType, madeAt: createdAt ?? handed.beside.receivedAt)
      append(texts, handed, &rows)
    }
    finish(bytes, handed, &rows)
  }

  /// Turns a receipt of iOS 6 into rows: one document with one transaction.
  func parsePurchaseReceipt(
    _ text: [UInt8], _ handed: HandedIn, _ rows: inout StagedRows
  ) throws(RecordProblem) {
    let receipt = try RecordProblem.checking { () throws(VerificationProblem) in
      try verifier(for: handed.file).transactionReceipt(text)
    }
    try handed.file.requireOurs(receipt.fields["bid"])
    seen.begin()
    append(PurchaseTexts(receipt, madeAt: handed.beside.receivedAt), handed, &rows)
    finish(text, handed, &rows)
  }

  private func finish(
    _ bytes: [UInt8], _ handed: HandedIn, _ rows: inout StagedRows
  ) {
    let hash = bytes.withUnsafeBytes { ContentHash(of: $0) }
    finishDocument(hash, handed, &rows)
    noteRawReceipt(bytes, handed)
  }

  private func append(
    _ texts: PurchaseTexts, _ handed: HandedIn, _ rows: inout StagedRows
  ) {
    rows.countsInBlock.transactions.read += 1
    do throws(RecordProblem) {
      append(try read(texts, handed.beside), handed, &rows)
    } catch {
      texts.shown.withUnsafeBufferPointer {
        rejectTransaction(error, shown: $0, handed, &rows)
      }
    }
  }

  /// Reads the facts of a receipt about one purchase.
  private func read(
    _ texts: PurchaseTexts, _ beside: EvidenceEnvelope
  ) throws(RecordProblem) -> TransactionEvidence {
    entryTexts.begin(reserving: texts.byteCount)
    guard let transactionID = try identifier(texts.transactionID, "transaction_id") else {
      throw .missing("transaction_id")
    }
    guard let productID = texts.productID.map({ entryTexts.keep($0.utf8) }), !productID.isEmpty
    else { throw .missing("product_id") }
    guard FieldText.isProductIdentifier(productID) else { throw .badName("product_id") }
    guard let purchasedAt = try PurchaseTexts.instant(texts.purchaseDate, "purchase_date") else {
      throw .missing("purchase_date")
    }
    var said = TransactionEvidence(
      environment: Environment.named(try identifier(texts.environment, "environment"))
        ?? Environment.production,
      transactionID: transactionID, productID: productID, purchasedAt: purchasedAt, trust: .signed)
    said.evidenceAt = texts.madeAt ?? purchasedAt
    said.originalTransactionID = try identifier(
      texts.originalTransactionID, "original_transaction_id")
    said.quantity = try texts.wholeQuantity
    said.originalPurchasedAt = try PurchaseTexts.instant(
      texts.originalPurchaseDate, "original_purchase_date")
    said.expiresAt = try PurchaseTexts.instant(texts.expiresDate, "expires_date")
    said.cancelledAt = try PurchaseTexts.instant(texts.cancellationDate, "cancellation_date")
    said.webOrderLineItemID = FieldText.lineItem(
      try identifier(texts.webOrderLineItemID, "web_order_line_item_id"))
    said.isTrial = try flag(texts.isTrial, "is_trial_period")
    said.isIntroductoryOffer = try flag(texts.isIntroductoryOffer, "is_in_intro_offer_period")
    said.isPromotionalOffer = texts.isPromotionalOffer
    said.isFamilyShared = texts.isFamilyShared
    said.isUpgraded = try flag(texts.isUpgraded, "is_upgraded")
    said.productType = texts.productType
    said.storefront = beside.storefront
    said.accountID = beside.accountID
    said.deviceID = beside.deviceID
    return said
  }

  private func identifier(_ text: String?, _ name: String) throws(RecordProblem) -> Bytes? {
    guard let text, !text.isEmpty else { return nil }
    let bytes = entryTexts.keep(text.utf8)
    guard FieldText.isIdentifier(bytes) else { throw .badIdentifier(name) }
    return bytes
  }

  private func flag(_ text: String?, _ name: String) throws(RecordProblem) -> Bool {
    guard let text else { return false }
    let bytes = entryTexts.keep(text.utf8)
    guard let isSet = FieldText.flag(bytes) else { throw .badFlag(name, bytes) }
    return isSet
  }
}

extension FileContext {
  /// Refuses evidence of an app that is not one of ours.
  func requireOurs(_ bundle: String?) throws(RecordProblem) {
    var problem: RecordProblem?
    let bytes = bundle.map { Array($0.utf8) }
    bytes.withBytes { bytes in
      do throws(RecordProblem) { try requireOurs(bytes) } catch { problem = error }
    }
    if let problem { throw problem }
  }
}

extension [UInt8]? {
  fileprivate func withBytes(_ body: (Bytes?) -> Void) {
    guard let self else { return body(nil) }
    self.withUnsafeBufferPointer { body($0) }
  }
}

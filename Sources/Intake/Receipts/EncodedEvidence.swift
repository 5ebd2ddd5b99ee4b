/// The data about an encoded transaction, in addition to the row itself.
struct EncodedEvidence {
  /// The value of `content_hash`.
  let hash: Int64
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
    let hashOffset = row.hashLater()
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
    row.fill(at: hashOffset, hash: hash)
    row.fill(at: evidenceOffset, timestamp: said.evidenceAt)
    return EncodedEvidence(
      hash: hash, evidenceAt: said.evidenceAt, evidenceOffset: evidenceOffset)
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

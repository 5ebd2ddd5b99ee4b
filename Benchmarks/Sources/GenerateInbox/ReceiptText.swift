/// A line of a receipts file: Apple's answer with one account's receipt, in its envelope.
struct ReceiptText {
  /// The time of the request for the receipt.
  let requestedAt: Int
  /// The number of the account's device that sent it.
  let device: Int

  func write(_ account: Account, to text: inout TextBuffer) {
    text.envelope(receivedAt: requestedAt + 2, account, device: device)
    text.text("\"storefront\":\"")
    text.text(Product.storefronts[account.storefront].0)
    text.text(
      """
      ","verifyReceiptResponse":{"status":0,"environment":"Production","receipt":{\
      "receipt_type":"Production","adam_id":1234567890,"app_item_id":1234567890,\
      "bundle_id":"com.example.reader","application_version":"4711","download_id":50
      """)
    text.number(account.number, width: 12)
    text.text(",\"version_external_identifier\":831234567,")
    date("receipt_creation_date", requestedAt - 60, to: &text)
    date("request_date", requestedAt, to: &text)
    text.text("\"original_application_version\":\"12\",\"in_app\":[")
    entries(of: account.purchases[...], to: &text)
    text.text("]}")
    let latest = account.purchases.lastIndex { $0.lineItem != nil }
    if let latest {
      // Here Apple repeats the newest transactions of subscriptions.
      text.text(",\"latest_receipt_info\":[")
      let first = max(account.purchases.startIndex, latest - account.number % 2)
      entries(of: account.purchases[first...latest], to: &text)
      text.text("]")
    }
    text.text("}}\n")
  }

  private func entries(of purchases: ArraySlice<Purchase>, to text: inout TextBuffer) {
    var isFirst = true
    for purchase in purchases {
      if !isFirst { text.text(",") }
      text.text("{\"quantity\":\"1\",\"product_id\":\"")
      isFirst = false
      entry(purchase, to: &text)
    }
  }

  private func entry(_ purchase: Purchase, to text: inout TextBuffer) {
    text.text(Product.all[purchase.product].identifier)
    text.text("\",\"transaction_id\":\"")
    text.number(purchase.transactionID)
    text.text("\",\"original_transaction_id\":\"")
    text.number(purchase.originalTransactionID)
    text.text("\",")
    date("purchase_date", purchase.purchasedAt, to: &text)
    date("original_purchase_date", purchase.originalPurchasedAt, to: &text)
    if let expiresAt = purchase.expiresAt { date("expires_date", expiresAt, to: &text) }
    if let cancelledAt = purchase.cancelledAt {
      date("cancellation_date", cancelledAt, to: &text)
      text.text("\"cancellation_reason\":\"0\",")
    }
    if let lineItem = purchase.lineItem {
      text.text("\"web_order_line_item_id\":\"")
      text.number(lineItem)
      text.text("\",\"is_in_intro_offer_period\":\"false\",")
    }
    text.text(purchase.isTrial ? "\"is_trial_period\":\"true\"" : "\"is_trial_period\":\"false\"")
    text.text(
      purchase.isFamilyShared
        ? ",\"in_app_ownership_type\":\"FAMILY_SHARED\"}"
        : ",\"in_app_ownership_type\":\"PURCHASED\"}")
  }

  /// Apple writes every date three times.
  private func date(_ name: String, _ seconds: Int, to text: inout TextBuffer) {
    text.text("\"")
    text.text(name)
    text.text("\":\"")
    text.instant(seconds, separator: " ")
    text.text(" Etc/GMT\",\"")
    text.text(name)
    text.text("_ms\":\"")
    text.number(seconds)
    text.text("000\",\"")
    text.text(name)
    text.text("_pst\":\"")
    text.instant(seconds - 8 * 3600, separator: " ")
    text.text(" America/Los_Angeles\",")
  }
}

extension ReceiptDocument {
  /// The document as one line of NDJSON, without the line end.
  public var json: String {
    document.text
  }

  /// The document on several lines, as in a file of its own.
  public var spreadJSON: String {
    document.spread()
  }

  private var document: JSONText {
    guard hasEnvelope else { return response }
    var members: [(name: String, value: JSONText)] = []
    if let receivedAt {
      members.append(("received_at", .string(receivedAt.rfc3339(offsetHours: style.offsetHours))))
    }
    members += Self.texts([
      ("account_id", accountID), ("device_id", deviceID), ("storefront", storefront),
    ])
    members.append(("verifyReceiptResponse", response))
    return .object(members)
  }

  private var response: JSONText {
    var members: [(name: String, value: JSONText)] = [("status", .bare(String(status)))]
    members += Self.texts([("environment", environment)])
    let frame =
      date("request_date", requestDate) + date("receipt_creation_date", receiptCreationDate)
    switch body {
    case .lists(let inApp, let latest):
      let receipt =
        [("bundle_id", JSONText.string("com.example.reader"))] + frame
        + [("in_app", .array(inApp.map { .object(self.members(of: $0)) }))]
      members.append(("receipt", .object(receipt)))
      if !latest.isEmpty {
        let entries = latest.map { JSONText.object(self.members(of: $0)) }
        members.append(("latest_receipt_info", .array(entries)))
      }
    case .older(let receipt, let latest, let latestExpired):
      let bundle = [("bid", JSONText.string("com.example.reader"))]
      members.append(("receipt", .object(bundle + self.members(of: receipt) + frame)))
      if let latest {
        members.append(("latest_receipt_info", .object(bundle + self.members(of: latest))))
      }
      if let latestExpired {
        let entry = JSONText.object(bundle + self.members(of: latestExpired))
        members.append(("latest_expired_receipt_info", entry))
      }
    }
    return .object(members)
  }

  private func members(of entry: TransactionEntry) -> [(name: String, value: JSONText)] {
    var members: [(name: String, value: JSONText)] = []
    members += number("quantity", entry.quantity.map { String($0) })
    members += Self.texts([("product_id", entry.productID)])
    members += number("transaction_id", entry.transactionID)
    members += number("original_transaction_id", entry.originalTransactionID)
    members += date("purchase_date", entry.purchaseDate, isMisdated: entry.isMisdated)
    members += date("original_purchase_date", entry.originalPurchaseDate)
    members += expiry(entry.expiresDate)
    members += date("cancellation_date", entry.cancellationDate)
    members += number("web_order_line_item_id", entry.webOrderLineItemID)
    members += boolean("is_trial_period", entry.isTrialPeriod)
    members += boolean("is_in_intro_offer_period", entry.isInIntroOfferPeriod)
    members += boolean("is_upgraded", entry.isUpgraded)
    members += Self.texts([
      ("promotional_offer_id", entry.promotionalOfferID),
      ("offer_code_ref_name", entry.offerCodeRefName),
      ("in_app_ownership_type", entry.inAppOwnershipType),
      ("price", entry.price), ("currency", entry.currency),
    ])
    return members
  }

  /// The older form has the milliseconds under the name without `_ms`.
  private func expiry(_ instant: Instant?) -> [(name: String, value: JSONText)] {
    guard case .older = body, let instant else { return date("expires_date", instant) }
    return [
      ("expires_date", .string(String(instant.milliseconds))),
      ("expires_date_formatted", .string(instant.appleText)),
    ]
  }

  private func date(
    _ name: String, _ instant: Instant?, isMisdated: Bool = false
  ) -> [(name: String, value: JSONText)] {
    guard let instant else { return [] }
    // If the document contains both, the milliseconds count.
    let told =
      isMisdated && style.dates == .both ? Instant(seconds: instant.seconds + 3600) : instant
    let text = [(name: name, value: JSONText.string(told.appleText))]
    let milliseconds = number(name + "_ms", String(instant.milliseconds))
    switch style.dates {
    case .both: return text + milliseconds
    case .text: return text
    case .milliseconds: return milliseconds
    }
  }

  /// A number, without quotes if the style asks for it.
  ///
  /// A number that some JSON readers cannot represent always has quotes.
  private func number(_ name: String, _ text: String?) -> [(name: String, value: JSONText)] {
    guard let text else { return [] }
    let isPlain = text.count < 16 && !text.isEmpty && (text == "0" || !text.hasPrefix("0"))
    return [(name, style.hasBareNumbers && isPlain ? .bare(text) : .string(text))]
  }

  private func boolean(_ name: String, _ value: Bool?) -> [(name: String, value: JSONText)] {
    guard let value else { return [] }
    switch (style.hasBareBooleans, style.hasBareNumbers) {
    case (true, true): return [(name, .bare(value ? "1" : "0"))]
    case (true, false): return [(name, .bare(String(value)))]
    case (false, true): return [(name, .string(value ? "True" : "FALSE"))]
    case (false, false): return [(name, .string(String(value)))]
    }
  }

  private static func texts(
    _ members: [(String, String?)]
  ) -> [(name: String, value: JSONText)] {
    members.compactMap { name, value in value.map { (name, .string($0)) } }
  }
}

extension FormatProbe {
  /// Members of evidence, with the kind of value that they have in it.
  private static let objects: [StaticString] = [
    "verifyReceiptResponse", "verify_receipt_response", "receipt", "unified_receipt",
  ]
  private static let lists: [StaticString] = [
    "latest_receipt_info", "latestReceiptInfo", "signedTransactions", "notificationHistory",
  ]
  private static let texts: [StaticString] = [
    "receipt-data", "receipt_data", "receiptData", "signedTransactionInfo", "signedPayload",
    "notification_type", "notificationUUID", "Payload", "latest_receipt", "latestReceipt",
  ]

  /// What stands in an answer of `verifyReceipt` beside the receipt.
  private static let answerMembers: Set<String> = [
    "status", "environment", "is-retryable", "is_retryable", "isRetryable", "exception",
    "latest_receipt", "latestReceipt", "pending_renewal_info", "pendingRenewalInfo",
  ]

  /// Whether an object is evidence in one of the known forms.
  ///
  /// A log of the company's own can call its members as it likes. So where the folder is another one, the
  /// values have to be of the right kind, and a status has to be a number, as Apple's are.
  func isReceipt(_ value: JSONValue) -> Bool {
    if file.folder == .receipts {
      for name in Self.objects + Self.lists + Self.texts where value.member(name) != nil {
        return true
      }
      if value.member("errorCode") != nil { return true }
    } else {
      if let status = value.member("status"), Self.number(status) == nil { return false }
      for name in Self.objects where value.member(name)?.isObject == true { return true }
      for name in Self.lists {
        if let list = value.member(name), list.isArray || list.isObject { return true }
      }
      for name in Self.texts where value.member(name)?.string != nil { return true }
      if let code = value.member("errorCode"), Self.number(code) != nil { return true }
    }
    guard let groups = value.member("data"), SubscriptionGroups.isThere(groups) else {
      return false
    }
    return groups.elementCount > 0
  }

  /// Whether an object is an answer of `verifyReceipt` without a receipt.
  func isBareAnswer(_ value: JSONValue) -> Bool {
    guard let status = value.member("status") else { return false }
    if file.folder == .receipts { return true }
    guard let number = Self.number(status), number == 0 || (21_000...21_199).contains(number) else {
      return false
    }
    let range = value.contents
    var place = range.lowerBound
    while place < range.upperBound {
      guard let name = value.value(at: place).string?.string, Self.answerMembers.contains(name)
      else { return false }
      place = value.value(at: place + 1).next
    }
    return true
  }

  private static func number(_ value: JSONValue) -> Int64? {
    value.integer ?? value.string.flatMap { FieldText.wholeNumber($0) }
  }
}

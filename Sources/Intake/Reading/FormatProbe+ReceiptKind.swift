extension FormatProbe {
  /// Members of evidence, in three lists by the kind of their value.
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

  /// Whether an object is evidence in one of the known forms.
  ///
  /// A log of the company can use the same names for its members. So in every other folder, the
  /// values must be of the right kind, and a status must be a number, as Apple's are.
  func isReceipt(_ value: JSONValue) -> Bool {
    if file.folder == .receipts {
      for name in Self.objects + Self.lists + Self.texts where value.member(name) != nil {
        return true
      }
      if value.member("errorCode") != nil { return true }
    } else {
      if let status = value.member("status"), status.wholeNumber == nil { return false }
      for name in Self.objects where value.member(name)?.isObject == true { return true }
      for name in Self.lists {
        if let list = value.member(name), list.isArray || list.isObject { return true }
      }
      for name in Self.texts where value.member(name)?.string != nil { return true }
      if let code = value.member("errorCode"), code.wholeNumber != nil { return true }
    }
    guard let groups = value.member("data"), SubscriptionGroups.isThere(groups) else {
      return false
    }
    return groups.elementCount > 0
  }

  /// Whether an object is an answer of `verifyReceipt` without a receipt.
  func isBareAnswer(_ value: JSONValue) -> Bool {
    guard let status = value.member("status") else { return false }
    let number = status.wholeNumber
    if file.folder == .receipts { return number != 0 || AnswerMembers.isAnswer(value) }
    guard let number, AppleStatus.isOfReceipt(number) else { return false }
    return AnswerMembers.isAnswer(value)
  }
}

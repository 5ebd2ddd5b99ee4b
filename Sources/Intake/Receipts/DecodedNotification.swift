/// A notification of version 2 that a server decoded and then logged.
///
/// Apple's libraries return such an object. The transaction and the renewal information in it are
/// still signed. The members around them are not signed. So a `notificationType` of
/// `REFUND_REVERSED` does not reverse a refund here.
///
/// Some notifications are about no purchase. Nothing in them could count, with or without a
/// signature.
enum DecodedNotification {
  /// The members of `data` that say that it is about a purchase.
  static let ofPurchase: [StaticString] = [
    "signedTransactionInfo", "transactionInfo", "transactionId",
  ]

  /// The signed text in the `data` of such an object.
  ///
  /// It is the transaction, or else the renewal information. Beside a transaction that is not
  /// signed, the renewal information is not all that Apple sent.
  static func signedText(in data: JSONValue) -> Bytes? {
    let transaction = data.member("signedTransactionInfo")?.string
    let isAboutPurchase = ofPurchase.contains { data.member($0) != nil }
    let text = transaction ?? (isAboutPurchase ? nil : data.member("signedRenewalInfo")?.string)
    guard let text, EvidenceShape.isSigned(text.trimmed) else { return nil }
    return text
  }

  /// Whether such an object is about no purchase.
  ///
  /// Apple puts transactions only into `data`. Most notifications have this member, and one without
  /// its transaction is not as Apple sent it. Only a test and a change of metadata have none.
  static func tellsNoPurchase(_ root: JSONValue) -> Bool {
    guard let type = root.present("notificationType")?.string, !type.isEmpty,
      root.present("transactionId") == nil, root.present("purchaseDate") == nil
    else { return false }
    guard let data = root.present("data") else {
      let others: [StaticString] = ["summary", "externalPurchaseToken", "appData"]
      let content = others.compactMap { root.present($0) }
      // A signed text in it is evidence by itself.
      let isSigned = content.contains { content in
        content.member("signedAppTransactionInfo")?.string
          .map { EvidenceShape.isSigned($0.trimmed) } ?? false
      }
      return !isSigned && (content.isEmpty ? isWithoutTransaction(type) : true)
    }
    return isWithoutTransaction(type) && data.isObject
      && ofPurchase.allSatisfy { data.present($0) == nil }
  }

  private static func isWithoutTransaction(_ type: Bytes) -> Bool {
    type.equals("TEST") || type.equals("METADATA_UPDATE")
  }
}

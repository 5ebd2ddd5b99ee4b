/// A notification of version 2 that a server decoded and then logged.
///
/// Apple's libraries return such an object. The transaction and the renewal information in it are
/// still signed. The members around them are not signed. So a `notificationType` of
/// `REFUND_REVERSED` does not reverse a refund here.
///
/// Some notifications are about no purchase. Nothing in them could count, with or without a
/// signature.
enum DecodedNotification {
  /// The signed text in the `data` of such an object.
  ///
  /// It is the transaction, or else the renewal information.
  static func signedText(in data: JSONValue) -> Bytes? {
    for name in ["signedTransactionInfo", "signedRenewalInfo"] as [StaticString] {
      guard let text = data.member(name)?.string else { continue }
      return EvidenceShape.isSigned(text.trimmed) ? text : nil
    }
    return nil
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
    let ofPurchase: [StaticString] = ["signedTransactionInfo", "transactionInfo", "transactionId"]
    return isWithoutTransaction(type) && data.isObject
      && ofPurchase.allSatisfy { data.present($0) == nil }
  }

  private static func isWithoutTransaction(_ type: Bytes) -> Bool {
    type.equals("TEST") || type.equals("METADATA_UPDATE")
  }
}

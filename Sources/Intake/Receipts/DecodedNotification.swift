/// A notification of version 2 that a server decoded and then logged.
///
/// Apple's libraries return such an object. The transaction and the renewal information in it are
/// still signed. The members around them are not signed. So a `notificationType` of
/// `REFUND_REVERSED` does not reverse a refund here.
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
}

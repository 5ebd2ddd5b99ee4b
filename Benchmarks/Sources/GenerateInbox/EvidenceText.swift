/// What an inbox contains about an account: an answer with its receipt, or its signed transactions.
struct EvidenceText {
  /// Nil for receipts.
  let signing: SignedText?

  /// The account's purchases, as far as this evidence contains them.
  func purchases(of account: Account) -> Account {
    guard signing != nil else { return account }
    var account = account
    account.leaveOutRestored()
    return account
  }

  /// Writes all purchases of the account.
  ///
  /// - Parameters:
  ///   - requestedAt: When the receipt was requested.
  ///   - isAgain: Whether all of it was written before.
  /// - Returns: the number of documents.
  func write(
    _ account: Account, requestedAt: Int, device: Int, isAgain: Bool, to text: inout TextBuffer
  ) throws -> Int {
    guard let signing else {
      ReceiptText(requestedAt: requestedAt, device: device).write(account, to: &text)
      return 1
    }
    try signing.write(account, signedAgainAt: isAgain ? requestedAt : nil, to: &text)
    let refunds = isAgain ? 0 : account.purchases.count { $0.cancelledAt != nil }
    return account.purchases.count + refunds
  }
}

extension TextBuffer {
  /// The beginning of a record: when the company's server received it, and from whom.
  mutating func envelope(receivedAt: Int, _ account: Account, device: Int) {
    text("{\"received_at\":\"")
    instant(receivedAt, separator: "T")
    text("Z\",\"account_id\":\"a-")
    number(account.number)
    text("\",\"device_id\":\"d-")
    number(account.number)
    text("-")
    number(device)
    text("\",")
  }
}

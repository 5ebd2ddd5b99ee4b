/// The value of one attribute, before it is assigned to a field.
struct ReceiptValue {
  let type: Int64
  let part: Range<Int>

  /// The only element of the value; nil if it does not have exactly one.
  private func element(in bytes: ArraySlice<UInt8>) -> BERElement? {
    var cursor = BERCursor(part)
    guard let element = try? cursor.next(in: bytes), cursor.isAtEnd else { return nil }
    return element
  }

  /// Assigns a text to its field; another value counts as an unknown attribute.
  func giveText(
    to field: inout String?, from bytes: ArraySlice<UInt8>
  ) throws(VerificationProblem) {
    guard let text = element(in: bytes)?.text(in: bytes) else { return }
    // Apple writes an empty text for none.
    try give(text.isEmpty ? nil : text, to: &field)
  }

  /// Assigns the meaning of a whole number to its field; another value, or a number without a
  /// meaning, counts as an unknown attribute.
  func giveNumber<Value: Equatable>(
    to field: inout Value?, from bytes: ArraySlice<UInt8>, _ meaning: (Int64) -> Value?
  ) throws(VerificationProblem) {
    guard let number = element(in: bytes)?.integer(in: bytes) else { return }
    try give(meaning(number), to: &field)
  }

  /// Assigns a value to its field.
  ///
  /// Two attributes of one type with different values are refused, because readers could disagree.
  private func give<Value: Equatable>(
    _ new: Value?, to field: inout Value?
  ) throws(VerificationProblem) {
    guard let new else { return }
    guard field == nil || field == new else {
      throw VerificationProblem(
        .malformed, "Attribute \(type) has two values; ask Apple for the receipt again.")
    }
    field = new
  }
}

extension AppReceipt {
  /// Assigns an attribute to its field; unknown attributes are left out.
  mutating func take(
    _ value: ReceiptValue, in bytes: ArraySlice<UInt8>
  ) throws(VerificationProblem) {
    switch value.type {
    case 0: try value.giveText(to: &receiptType, from: bytes)
    case 2: try value.giveText(to: &bundleID, from: bytes)
    case 12: try value.giveText(to: &createdAt, from: bytes)
    case 17:
      purchaseCount += 1
      if purchaseCount <= Self.purchaseLimit {
        purchases.append(try InAppPurchase(bytes, value.part))
      }
    default: break
    }
  }
}

extension InAppPurchase {
  init(_ bytes: ArraySlice<UInt8>, _ part: Range<Int>) throws(VerificationProblem) {
    self.init()
    var attributes = try ReceiptAttributes(bytes, part)
    while let (value, octets) = try attributes.next(in: bytes) {
      try take(value, in: octets)
    }
  }

  private mutating func take(
    _ value: ReceiptValue, in bytes: ArraySlice<UInt8>
  ) throws(VerificationProblem) {
    switch value.type {
    case 1701: try value.giveNumber(to: &quantity, from: bytes) { $0 }
    case 1702: try value.giveText(to: &productID, from: bytes)
    case 1703: try value.giveText(to: &transactionID, from: bytes)
    case 1704: try value.giveText(to: &purchaseDate, from: bytes)
    case 1705: try value.giveText(to: &originalTransactionID, from: bytes)
    case 1706: try value.giveText(to: &originalPurchaseDate, from: bytes)
    case 1707: try value.giveNumber(to: &productType, from: bytes, ProductType.init)
    case 1708: try value.giveText(to: &expiresDate, from: bytes)
    case 1711:
      // Apple writes 0 for none.
      try value.giveNumber(to: &webOrderLineItemID, from: bytes) { $0 == 0 ? nil : String($0) }
    case 1712: try value.giveText(to: &cancellationDate, from: bytes)
    case 1713: try value.giveNumber(to: &isTrial, from: bytes) { $0 != 0 }
    case 1719: try value.giveNumber(to: &isIntroductoryOffer, from: bytes) { $0 != 0 }
    case 1721: try value.giveText(to: &promotionalOfferID, from: bytes)
    default: break
    }
  }
}

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

  /// Assigns a text to its field; false if the value is not a text.
  func giveText(
    to field: inout String?, from bytes: ArraySlice<UInt8>
  ) throws(VerificationProblem) -> Bool {
    guard let text = element(in: bytes)?.text(in: bytes) else { return false }
    // Apple writes an empty text for none.
    try give(text.isEmpty ? nil : text, to: &field)
    return true
  }

  /// Assigns the meaning of a whole number to its field; false without a number or a meaning.
  func giveNumber<Value: Equatable>(
    to field: inout Value?, from bytes: ArraySlice<UInt8>, _ meaning: (Int64) -> Value?
  ) throws(VerificationProblem) -> Bool {
    guard let number = element(in: bytes)?.integer(in: bytes), let value = meaning(number) else {
      return false
    }
    try give(value, to: &field)
    return true
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
  /// Assigns an attribute to its field, or keeps it unchanged.
  mutating func takeOrKeep(
    _ type: Int64, _ part: Range<Int>, in bytes: ArraySlice<UInt8>
  ) throws(VerificationProblem) {
    guard try !take(ReceiptValue(type: type, part: part), in: bytes) else { return }
    otherAttributes.append(UnknownAttribute(type: type, value: bytes[part]))
  }

  private mutating func take(
    _ value: ReceiptValue, in bytes: ArraySlice<UInt8>
  ) throws(VerificationProblem) -> Bool {
    switch value.type {
    case 0: return try value.giveText(to: &receiptType, from: bytes)
    case 2: return try value.giveText(to: &bundleID, from: bytes)
    case 3: return try value.giveText(to: &appVersion, from: bytes)
    case 12: return try value.giveText(to: &createdAt, from: bytes)
    case 17:
      purchaseCount += 1
      if purchaseCount <= Self.purchaseLimit {
        purchases.append(try InAppPurchase(bytes, value.part))
      }
      return true
    case 19: return try value.giveText(to: &originalAppVersion, from: bytes)
    case 21: return try value.giveText(to: &expiresAt, from: bytes)
    default: return false
    }
  }
}

extension InAppPurchase {
  init(_ bytes: ArraySlice<UInt8>, _ part: Range<Int>) throws(VerificationProblem) {
    self.init()
    var attributes = try ReceiptAttributes(bytes, part)
    while let attribute = try attributes.next(in: bytes) {
      if let joined = try attribute.joined(in: bytes) {
        try takeOrKeep(attribute.type, joined.startIndex..<joined.endIndex, in: joined)
      } else {
        try takeOrKeep(attribute.type, attribute.value.content, in: bytes)
      }
    }
  }

  private mutating func takeOrKeep(
    _ type: Int64, _ part: Range<Int>, in bytes: ArraySlice<UInt8>
  ) throws(VerificationProblem) {
    guard try !take(ReceiptValue(type: type, part: part), in: bytes) else { return }
    otherAttributes.append(UnknownAttribute(type: type, value: bytes[part]))
  }

  private mutating func take(
    _ value: ReceiptValue, in bytes: ArraySlice<UInt8>
  ) throws(VerificationProblem) -> Bool {
    switch value.type {
    case 1701: return try value.giveNumber(to: &quantity, from: bytes) { $0 }
    case 1702: return try value.giveText(to: &productID, from: bytes)
    case 1703: return try value.giveText(to: &transactionID, from: bytes)
    case 1704: return try value.giveText(to: &purchaseDate, from: bytes)
    case 1705: return try value.giveText(to: &originalTransactionID, from: bytes)
    case 1706: return try value.giveText(to: &originalPurchaseDate, from: bytes)
    case 1707: return try value.giveNumber(to: &productType, from: bytes, ProductType.init)
    case 1708: return try value.giveText(to: &expiresDate, from: bytes)
    case 1711: return try takeLineItem(value, in: bytes)
    case 1712: return try value.giveText(to: &cancellationDate, from: bytes)
    case 1713: return try value.giveNumber(to: &isTrial, from: bytes) { $0 != 0 }
    case 1719: return try value.giveNumber(to: &isIntroductoryOffer, from: bytes) { $0 != 0 }
    case 1721: return try value.giveText(to: &promotionalOfferID, from: bytes)
    default: return false
    }
  }

  /// Assigns attribute 1711, in which Apple writes 0 for none.
  private mutating func takeLineItem(
    _ value: ReceiptValue, in bytes: ArraySlice<UInt8>
  ) throws(VerificationProblem) -> Bool {
    var number: Int64?
    guard try value.giveNumber(to: &number, from: bytes, { $0 }) else { return false }
    if number == 0 { return true }
    return try value.giveNumber(to: &webOrderLineItemID, from: bytes) { String($0) }
  }
}

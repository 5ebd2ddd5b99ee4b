extension AppReceipt {
  /// Takes an attribute into its field; false if it has none.
  mutating func take(_ attribute: ReceiptAttribute) throws(VerificationProblem) -> Bool {
    switch attribute.type {
    case 0: return try attribute.giveText(to: &receiptType)
    case 2: return try attribute.giveText(to: &bundleID)
    case 3: return try attribute.giveText(to: &appVersion)
    case 12: return try attribute.giveText(to: &createdAt)
    case 17:
      purchases.append(try InAppPurchase(attribute))
      return true
    case 19: return try attribute.giveText(to: &originalAppVersion)
    case 21: return try attribute.giveText(to: &expiresAt)
    default: return false
    }
  }
}

extension InAppPurchase {
  init(_ purchase: ReceiptAttribute) throws(VerificationProblem) {
    self.init()
    var attributes = try ReceiptAttributes(purchase.value)
    while let attribute = try attributes.next() {
      guard try take(attribute) else {
        otherAttributes.append(UnknownAttribute(type: attribute.type, value: attribute.value))
        continue
      }
    }
  }

  /// Takes an attribute into its field; false if it has none.
  private mutating func take(_ attribute: ReceiptAttribute) throws(VerificationProblem) -> Bool {
    switch attribute.type {
    case 1701:
      guard let number = attribute.integer else { return false }
      try attribute.give(number, to: &quantity)
    case 1702: return try attribute.giveText(to: &productID)
    case 1703: return try attribute.giveText(to: &transactionID)
    case 1704: return try attribute.giveText(to: &purchaseDate)
    case 1705: return try attribute.giveText(to: &originalTransactionID)
    case 1706: return try attribute.giveText(to: &originalPurchaseDate)
    case 1707:
      guard let known = attribute.integer.flatMap(ProductType.init) else { return false }
      try attribute.give(known, to: &productType)
    case 1708: return try attribute.giveText(to: &expiresDate)
    case 1711:
      guard let number = attribute.integer else { return false }
      try attribute.give(number == 0 ? nil : String(number), to: &webOrderLineItemID)
    case 1712: return try attribute.giveText(to: &cancellationDate)
    case 1713: return try give(attribute, to: &isTrial)
    case 1719: return try give(attribute, to: &isIntroductoryOffer)
    default: return false
    }
    return true
  }

  private func give(
    _ attribute: ReceiptAttribute, to flag: inout Bool?
  ) throws(VerificationProblem) -> Bool {
    guard let number = attribute.integer else { return false }
    try attribute.give(number != 0, to: &flag)
    return true
  }
}

/// The four kinds of product, in the words of the catalogue.
enum ProductType: String, CaseIterable {
  case consumable
  case nonConsumable = "non_consumable"
  case autoRenewable = "auto_renewable"
  case nonRenewing = "non_renewing"

  /// The kinds that are sold once: all except auto-renewable subscriptions.
  static let oneTime: [ProductType] = [.consumable, .nonConsumable, .nonRenewing]

  /// Apple's words in lower case and without other characters than letters.
  ///
  /// These are the words of Xcode, of the App Metadata Specification 5.11 (where `subscription` is
  /// the kind that does not renew) and of the App Store Connect API.
  private static let words: [String: ProductType] = [
    "consumable": .consumable,
    "nonconsumable": .nonConsumable,
    "autorenewable": .autoRenewable,
    "autorenewablesubscription": .autoRenewable,
    "automaticallyrenewablesubscription": .autoRenewable,
    "recurringsubscription": .autoRenewable,
    "nonrenewing": .nonRenewing,
    "nonrenewingsubscription": .nonRenewing,
    "subscription": .nonRenewing,
  ]
  /// Free subscriptions of Newsstand, which are none of the four kinds; they are listed without a
  /// type.
  private static let wordOfNone = "freesubscription"

  /// Reads one of Apple's words from a JSON member; nil if the member is missing or empty.
  static func read(_ value: JSONValue?) throws(RecordProblem) -> ProductType? {
    guard let value, value.string?.isEmpty != true else { return nil }
    return try read(apple: value.string ?? Bytes(start: nil, count: 0))
  }

  /// Reads one of Apple's words, such as `NON_CONSUMABLE`, `non-consumable` or `NonConsumable`.
  static func read(apple text: Bytes) throws(RecordProblem) -> ProductType? {
    let word = text.string.lowercased().filter { !"-_ ".contains($0) }
    if word == wordOfNone { return nil }
    guard let type = words[word] else {
      throw RecordProblem(
        .unknownValue,
        "The type of the product is not one of Apple's words for consumable, non-consumable, "
          + "auto-renewable and non-renewing; the rest of the list is used.")
    }
    return type
  }
}

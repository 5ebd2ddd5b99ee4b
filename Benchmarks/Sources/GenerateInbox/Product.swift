/// What is for sale: two hundred products, and a few identifiers that only a typing error sells.
struct Product {
  enum Kind: String {
    case consumable
    case nonConsumable = "non_consumable"
    case autoRenewable = "auto_renewable"
    case nonRenewing = "non_renewing"
  }

  let identifier: String
  let kind: Kind
  let isOnDemand: Bool
  let isOwedEachPeriod: Bool
  /// In hundredths of a US dollar.
  let price: Int

  static let listed: [Product] = (0..<200).map { number in
    let place = String(number)
    let padded = String(repeating: "0", count: 3 - place.count) + place
    let kind: Kind =
      switch number {
      case ..<120: .nonConsumable
      case ..<150: .consumable
      case ..<190: .autoRenewable
      default: .nonRenewing
      }
    let word =
      switch kind {
      case .nonConsumable: "book"
      case .consumable: "coins"
      case .autoRenewable: "club"
      case .nonRenewing: "pass"
      }
    return Product(
      identifier: "com.example.reader.\(word).\(padded)", kind: kind,
      isOnDemand: number % 10 == 7, isOwedEachPeriod: number % 2 == 0,
      price: 99 + 100 * (number % 15))
  }

  /// Identifiers that no catalogue lists.
  static let misspelt: [Product] = (0..<5).map { number in
    Product(
      identifier: "com.example.reader.bok.00\(number)", kind: .nonConsumable, isOnDemand: false,
      isOwedEachPeriod: false, price: 0)
  }

  static let all = listed + misspelt

  /// Where people buy, and in which currency.
  static let storefronts = [
    ("USA", "USD"), ("DEU", "EUR"), ("FRA", "EUR"), ("GBR", "GBP"), ("JPN", "JPY"), ("CAN", "CAD"),
    ("AUS", "AUD"), ("BRA", "BRL"), ("KOR", "KRW"), ("CHE", "CHF"),
  ]
}

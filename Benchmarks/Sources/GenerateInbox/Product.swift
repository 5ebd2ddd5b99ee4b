/// The products: two hundred of the catalogue, and a few misspelt identifiers.
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
  /// The price in hundredths of a US dollar.
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

  /// Misspelt identifiers, which are not in the catalogue.
  static let misspelt: [Product] = (0..<5).map { number in
    Product(
      identifier: "com.example.reader.bok.00\(number)", kind: .nonConsumable, isOnDemand: false,
      isOwedEachPeriod: false, price: 0)
  }

  static let all = listed + misspelt

  /// Storefronts and their currencies.
  static let storefronts = [
    ("USA", "USD"), ("DEU", "EUR"), ("FRA", "EUR"), ("GBR", "GBP"), ("JPN", "JPY"), ("CAN", "CAD"),
    ("AUS", "AUD"), ("BRA", "BRL"), ("KOR", "KRW"), ("CHE", "CHF"),
  ]
}

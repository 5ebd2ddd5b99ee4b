/// The currency in which the App Store sells in a storefront.
///
/// Only storefronts whose currency is certain are listed: storefronts with their own region in App
/// Store Connect's reference "Financial report regions and currencies", and the members of the euro
/// area in it. Storefronts that share a region are left out. Storefronts whose currency changed
/// after storefront codes were introduced (Bulgaria, Croatia) are left out too.
enum StorefrontCurrency {
  private static let euro = [
    "AUT", "BEL", "CYP", "DEU", "ESP", "EST", "FIN", "FRA", "GRC", "IRL", "ITA", "LTU", "LUX",
    "LVA",
    "MLT", "NLD", "PRT", "SVK", "SVN",
  ]
  private static let own = [
    "ARE": "AED", "AUS": "AUD", "BRA": "BRL", "CAN": "CAD", "CHE": "CHF", "CHL": "CLP",
    "CHN": "CNY",
    "COL": "COP", "CZE": "CZK", "DNK": "DKK", "EGY": "EGP", "GBR": "GBP", "HKG": "HKD",
    "HUN": "HUF",
    "IDN": "IDR", "IND": "INR", "ISR": "ILS", "JPN": "JPY", "KAZ": "KZT", "KOR": "KRW",
    "MEX": "MXN",
    "MYS": "MYR", "NGA": "NGN", "NOR": "NOK", "NZL": "NZD", "PAK": "PKR", "PER": "PEN",
    "PHL": "PHP",
    "POL": "PLN", "QAT": "QAR", "ROU": "RON", "RUS": "RUB", "SAU": "SAR", "SGP": "SGD",
    "SWE": "SEK",
    "THA": "THB", "TUR": "TRY", "TWN": "TWD", "TZA": "TZS", "USA": "USD", "VNM": "VND",
    "ZAF": "ZAR",
  ]

  /// The ISO 4217 code for an ISO 3166-1 alpha-3 code, if it is known.
  static func code(of storefront: String) -> String? {
    euro.contains(storefront) ? "EUR" : own[storefront]
  }
}

/// The catalogue, version 2, with a price for each storefront.
enum CatalogueText {
  static func write(to text: inout TextBuffer) {
    text.text("{\"version\": 2, \"products\": [\n")
    for (place, product) in Product.listed.enumerated() {
      text.text(place == 0 ? "  {\"product_id\": \"" : ",\n  {\"product_id\": \"")
      text.text(product.identifier)
      text.text("\", \"type\": \"\(product.kind.rawValue)\", \"delivery\": \"")
      text.text(product.isOnDemand ? "on_demand" : "server")
      text.text("\", \"delivery_per\": \"")
      text.text(product.isOwedEachPeriod ? "period" : "purchase")
      text.text("\", \"prices\": [")
      for (number, storefront) in Product.storefronts.enumerated() {
        text.text(number == 0 ? "" : ", ")
        text.text("{\"currency\": \"\(storefront.1)\", \"storefront\": \"\(storefront.0)\"")
        text.text(", \"price\": \"")
        amount(product.price, currency: storefront.1, to: &text)
        text.text("\"}")
      }
      text.text("]}")
    }
    text.text("\n]}\n")
  }

  private static func amount(_ hundredths: Int, currency: String, to text: inout TextBuffer) {
    switch currency {
    case "JPY": text.number(hundredths + 51)
    case "KRW": text.number(hundredths * 10 + 110)
    default:
      text.number(hundredths / 100)
      text.text(".")
      text.number(hundredths % 100, width: 2)
    }
  }
}

/// Reports as Apple writes them, from short rows.
package enum AppleReports {
  /// A summary of Sales and Trends about one day, such as `10/05/2026` or `2026-10-05`.
  ///
  /// A row is `product country units proceeds currency-of-proceeds price currency`. A type other
  /// than IA1 follows the product and a colon.
  package static func sales(_ day: String, _ rows: [String]) -> String {
    let header =
      "Provider\tSKU\tProduct Type Identifier\tCountry Code\tUnits\tDeveloper Proceeds\t"
      + "Currency of Proceeds\tCustomer Price\tCustomer Currency\tBegin Date\tEnd Date"
    let lines = rows.map { row in
      let fields = row.split(separator: " ").map(String.init)
      let product = fields[0].split(separator: ":").map(String.init)
      let type = product.count > 1 ? product[1] : "IA1"
      return (["APPLE", product[0], type] + fields[1...] + [day, day]).joined(separator: "\t")
    }
    return ([header] + lines).joined(separator: "\n") + "\n"
  }

  /// A Financial Report from the rows and their totals; about the first month of Apple's fiscal year
  /// 2027, unless other days are given.
  package static func financial(
    _ rows: [String], amount: String, units: Int, from first: String = "09/27/2026",
    to last: String = "10/31/2026"
  ) -> String {
    let header =
      "Start Date\tEnd Date\tVendor Identifier\tCountry Of Sale\tQuantity\tPartner Share\t"
      + "Extended Partner Share\tPartner Share Currency\tSales or Return\tCustomer Price\t"
      + "Customer Currency\tProduct Type Identifier"
    let lines = rows.map { row in
      let fields = row.split(separator: " ").map(String.init)
      return ([first, last] + fields + ["IA1"]).joined(separator: "\t")
    }
    let trailer = ["Total_Rows\t\(rows.count)", "Total_Amount\t\(amount)", "Total_Units\t\(units)"]
    return ([header] + lines + trailer).joined(separator: "\n") + "\n"
  }

  /// A Financial Report with one row for each country, such as `US`, with its currency and units.
  package static func financial(
    _ cells: [(country: String, currency: String, units: Int)], from first: String = "09/27/2026",
    to last: String = "10/31/2026"
  ) -> String {
    let units = cells.reduce(0) { $0 + $1.units }
    return financial(
      cells.map { cell in
        "coin \(cell.country) \(cell.units) 1 \(cell.units) \(cell.currency) S 1.00 \(cell.currency)"
      }, amount: "\(units)", units: units, from: first, to: last)
  }
}

import Page
package import PostgreSQL
import ReconciliationSQL
import Runs

extension Money {
  /// Reads the money from what the night judged and carries forward.
  package init(from database: Connection) throws(PostgreSQLError) {
    self.init()
    // The rows of one currency and source follow each other, one for each range.
    for row in try database.run(SQLFile.pageRisk).records {
      let age = row.text("age")
      if !ages.contains(age) { ages.append(age) }
      if age == ages.first {
        try atRisk.append(
          Risk(
            isUncertain: row.flag("is_uncertain"), currency: row["currency"],
            source: row["price_source"] ?? "none",
            total: Risk.Part(deliveries: row.count("deliveries"), amount: row["amount"])))
      }
      let part = try Risk.Part(deliveries: row.count("age_deliveries"), amount: row["age_amount"])
      atRisk[atRisk.count - 1].byAge.append(part)
    }
    let coverage = try database.run(SQLFile.pageCoverage)
    sales = try coverage.records.map { row throws(PostgreSQLError) in
      try Sales(
        month: row.text("month"), isNewest: row.flag("is_newest"), currency: row["currency"],
        units: row.count("units"), paidUnits: row.count("receipt_units"),
        paid: row["receipt_gross"],
        listedUnits: row.count("catalogue_units"), listPrice: row["catalogue_gross"])
    }
  }
}

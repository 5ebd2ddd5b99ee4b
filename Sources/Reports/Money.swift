package import PostgreSQL
import ReconciliationSQL
import Runs

/// The money of a night: what missing deliveries cost, and the sources of the amounts of sales.
///
/// Amounts are exact decimals as text. They are never added across currencies. Amounts from the
/// catalogue are list prices, an estimate; only receipts say what customers paid.
package struct Money: Sendable, Equatable {
  /// What missing deliveries of one currency cost, by the days that they are overdue.
  package struct Risk: Sendable, Equatable {
    /// The deliveries that are overdue for a range of days.
    package struct Part: Sendable, Equatable {
      /// The number of deliveries.
      package let deliveries: Int
      /// What they cost; nil if it is not known, or if there are none.
      package let amount: String?
    }
    /// Whether the deliveries are uncertain, because no log covers their time.
    package let isUncertain: Bool
    /// The currency; nil if no amount is known.
    package let currency: String?
    /// The source of the amounts: receipt, catalogue or none.
    package let source: String
    /// All of them.
    package let total: Part
    /// One part for each range of ``Money/ages``.
    package internal(set) var byAge: [Part] = []
  }

  /// The sales of a month in one currency, by the source of their amounts.
  package struct Sales: Sendable, Equatable {
    /// The month, 2026-11.
    package let month: String
    /// Whether as-of is in this month.
    package let isNewest: Bool
    /// The currency; nil for units whose amount is not known.
    package let currency: String?
    /// The number of all units.
    package let units: Int
    /// The number of units for which receipts say what customers paid.
    package let paidUnits: Int
    /// What customers paid; nil if no receipt says so.
    package let paid: String?
    /// The number of units with a price from the catalogue.
    package let listedUnits: Int
    /// The list price of these units, an estimate; nil if there are none.
    package let listPrice: String?
  }

  /// The ranges of whole days overdue, such as 1–6 days; none if nothing is missing.
  package internal(set) var ages: [String] = []
  /// What missing deliveries cost; those that are uncertain come last.
  package internal(set) var atRisk: [Risk] = []
  /// The sales of the six months up to as-of, the newest first.
  package internal(set) var sales: [Sales] = []

  /// Creates money of a night without missing deliveries and without sales.
  package init() {}

  /// Reads the money from what the night judged and carries forward.
  package init(from database: Connection) throws(PostgreSQLError) {
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

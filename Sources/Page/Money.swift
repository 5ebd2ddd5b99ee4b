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
      package var deliveries: Int
      /// What they cost; nil if it is not known, or if there are none.
      package var amount: String?

      /// Creates a part.
      package init(deliveries: Int, amount: String?) {
        self.deliveries = deliveries
        self.amount = amount
      }
    }
    /// Whether the deliveries are uncertain, because no log covers their time.
    package var isUncertain: Bool
    /// The currency; nil if no amount is known.
    package var currency: String?
    /// The source of the amounts: receipt, catalogue or none.
    package var source: String
    /// All of them.
    package var total: Part
    /// One part for each range of ``Money/ages``.
    package var byAge: [Part]

    /// Creates a row.
    package init(
      isUncertain: Bool, currency: String?, source: String, total: Part, byAge: [Part] = []
    ) {
      self.isUncertain = isUncertain
      self.currency = currency
      self.source = source
      self.total = total
      self.byAge = byAge
    }

    /// The amount of each range of days overdue, and of all; nil without an amount.
    package var amounts: [String?] { (byAge + [total]).map(\.amount) }
  }

  /// The sales of a month in one currency, by the source of their amounts.
  package struct Sales: Sendable, Equatable {
    /// The month, 2026-11.
    package var month: String
    /// Whether as-of is in this month.
    package var isNewest: Bool
    /// The currency; nil for units whose amount is not known.
    package var currency: String?
    /// The number of all units.
    package var units: Int
    /// The number of units for which receipts say what customers paid.
    package var paidUnits: Int
    /// What customers paid; nil if no receipt says so.
    package var paid: String?
    /// The number of units with a price from the catalogue.
    package var listedUnits: Int
    /// The list price of these units, an estimate; nil if there are none.
    package var listPrice: String?

    /// Creates a row.
    package init(
      month: String, isNewest: Bool, currency: String?, units: Int, paidUnits: Int, paid: String?,
      listedUnits: Int, listPrice: String?
    ) {
      self.month = month
      self.isNewest = isNewest
      self.currency = currency
      self.units = units
      self.paidUnits = paidUnits
      self.paid = paid
      self.listedUnits = listedUnits
      self.listPrice = listPrice
    }
  }

  /// The ranges of whole days overdue, such as 1–6 days; none if nothing is missing.
  package var ages: [String] = []
  /// What missing deliveries cost; those that are uncertain come last.
  package var atRisk: [Risk] = []
  /// The sales of the six months up to as-of, the newest first.
  package var sales: [Sales] = []

  /// Creates money of a night without missing deliveries and without sales.
  package init() {}
}

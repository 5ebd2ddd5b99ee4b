internal import Foundation

/// The columns that identify a row of the revenue statement, in their order.
struct RevenueKey: Hashable, Comparable {
  let columns: [ByteText]

  static func < (left: RevenueKey, right: RevenueKey) -> Bool {
    left.columns.lexicographicallyPrecedes(right.columns)
  }
}

/// The sums of one row.
struct RevenueRow {
  var unitsSold = 0
  var gross: Amount?
  var unitsRefunded = 0
  var refunds: Amount?
  var unitsUpgraded = 0

  /// The sums with the number of digits of the longest amount of the row, including upgraded ones.
  var money: (gross: String, refunds: String, net: String) {
    guard let gross, let refunds else { return ("", "", "") }
    return (gross.text, refunds.text, (gross - refunds).text)
  }

  /// Adds zero with the number of digits of an amount.
  ///
  /// So every sum of the row gets the largest number of digits.
  fileprivate mutating func widen(to amount: Amount) {
    let zero = Amount(digits: 0, scale: amount.scale)
    gross = (gross ?? zero) + zero
    refunds = (refunds ?? zero) + zero
  }
}

/// What a purchase cost.
struct Payment {
  let amount: Amount
  let currency: ByteText
  /// `receipt` or `catalogue`.
  let source: String
}

extension Ledger {
  /// The date and time of an instant in the configured time zone.
  func civilTime(_ seconds: Int) -> CivilTime {
    let moment = Date(timeIntervalSince1970: Double(seconds))
    let offset = TimeZone(identifier: settings.timeZone)?.secondsFromGMT(for: moment) ?? 0
    return CivilTime(secondsSince1970: seconds + offset)
  }

  private func isInRange(_ moment: Int) -> Bool {
    let since = settings.revenueSince ?? civilTime(asOf).firstDayOfPreviousMonth
    return moment <= asOf && ByteText(civilTime(moment).day) >= ByteText(since)
  }

  /// Whether a completed purchase counts in revenue.
  private func isSale(_ purchase: MergedTransaction) -> Bool {
    [.purchase, .renewal, .free].contains(disposition(of: purchase))
  }

  /// The amount of a sale, and its source; nil if it is not known, or if the purchase is no sale.
  func payment(of purchase: MergedTransaction) -> Payment? {
    isSale(purchase) ? price(of: purchase) : nil
  }

  private func price(of transaction: MergedTransaction) -> Payment? {
    if let own = transaction.ownAmount {
      let digits = Amount.minorDigits(of: own.currency.text)
      return Payment(
        amount: own.amount.widened(to: digits), currency: own.currency, source: "receipt")
    }
    guard !transaction.isTrial, !transaction.isOffer,
      let price = catalogue.products[transaction.product]?.price(
        at: transaction.purchaseDate,
        storefront: transaction.storefronts.min() ?? ByteText(settings.assumeStorefront))
    else { return nil }
    return Payment(
      amount: transaction.quantity * price.amount, currency: price.currency, source: "catalogue")
  }

  /// The sums since the first day of the revenue statement.
  func revenue() -> [RevenueKey: RevenueRow] {
    sums { transaction, payment, moment in
      guard isInRange(moment) else { return nil }
      let assumed =
        payment?.source == "catalogue" ? ByteText(settings.assumeStorefront) : nil
      return [
        civilTime(moment).day, transaction.product.text, transaction.type,
        catalogue.productState(of: transaction),
        (transaction.storefronts.min() ?? assumed)?.text ?? "",
        payment?.currency.text ?? "", payment?.source ?? "none",
      ]
    }
  }

  /// The sums of all sales and refunds, by the columns that are drawn for each; nil: not counted.
  func sums(
    by columns: (MergedTransaction, Payment?, Int) -> [String]?
  ) -> [RevenueKey: RevenueRow] {
    var rows: [RevenueKey: RevenueRow] = [:]
    func note(
      _ transaction: MergedTransaction, at moment: Int,
      _ change: (inout RevenueRow, Amount?) -> Void
    ) {
      let payment = payment(of: transaction)
      guard let columns = columns(transaction, payment, moment) else { return }
      let key = RevenueKey(columns: columns.map { ByteText($0) })
      if let payment { rows[key, default: RevenueRow()].widen(to: payment.amount) }
      change(&rows[key, default: RevenueRow()], payment?.amount)
    }
    for family in families {
      guard let purchase = family.completed, isSale(purchase) else { continue }
      note(purchase, at: purchase.purchaseDate) { row, amount in
        row.unitsSold += purchase.quantity
        if let amount { row.gross = row.gross.map { $0 + amount } }
      }
      guard let refundDate = family.refundDate else { continue }
      note(purchase, at: refundDate) { row, amount in
        if family.isRefundUpgrade {
          row.unitsUpgraded += purchase.quantity
        } else {
          row.unitsRefunded += purchase.quantity
          if let amount {
            row.refunds = row.refunds.map { $0 + amount.part(family.refundPercentage) }
          }
        }
      }
    }
    return rows
  }

  /// The products with purchases or renewals, since the first day of the statement, whose amount is
  /// not known.
  func unpricedProducts() -> [Finding] {
    let unpriced = families.compactMap(\.completed).filter {
      [.purchase, .renewal].contains(disposition(of: $0)) && isInRange($0.purchaseDate)
        && payment(of: $0) == nil
    }
    return Set(unpriced.map(\.product)).map {
      Finding("unpriced_product", "warning", nil, $0.text)
    }
  }
}

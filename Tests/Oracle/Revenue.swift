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

  /// The amount that was paid, and its source.
  private func payment(
    of transaction: MergedTransaction
  ) -> (amount: Amount, currency: ByteText, source: String)? {
    if let own = transaction.ownAmount {
      let digits = Amount.minorDigits(of: own.currency.text)
      return (own.amount.widened(to: digits), own.currency, "receipt")
    }
    guard !transaction.isTrial, !transaction.isOffer,
      let price = catalogue.products[transaction.product]?.price(
        at: transaction.purchaseDate,
        storefront: transaction.storefronts.min() ?? ByteText(settings.assumeStorefront))
    else { return nil }
    return (transaction.quantity * price.amount, price.currency, "catalogue")
  }

  func revenue() -> [RevenueKey: RevenueRow] {
    var rows: [RevenueKey: RevenueRow] = [:]
    func note(
      _ transaction: MergedTransaction, at moment: Int,
      _ change: (inout RevenueRow, Amount?) -> Void
    ) {
      guard isInRange(moment) else { return }
      let payment = payment(of: transaction)
      let assumed =
        payment?.source == "catalogue" ? ByteText(settings.assumeStorefront) : nil
      let columns: [String] = [
        civilTime(moment).day, transaction.product.text, transaction.type,
        catalogue.productState(of: transaction),
        (transaction.storefronts.min() ?? assumed)?.text ?? "",
        payment?.currency.text ?? "", payment?.source ?? "none",
      ]
      let key = RevenueKey(columns: columns.map { ByteText($0) })
      if let payment { rows[key, default: RevenueRow()].widen(to: payment.amount) }
      change(&rows[key, default: RevenueRow()], payment?.amount)
    }
    for family in families {
      guard let purchase = family.completed,
        [.purchase, .renewal, .free].contains(disposition(of: purchase))
      else { continue }
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
}

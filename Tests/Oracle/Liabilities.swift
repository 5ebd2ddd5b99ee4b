/// The values that the rows of one line of the statement of liabilities have in common.
private struct LiabilityKey: Hashable {
  let liability: String
  let periodEnd: Int
  let product: ByteText
  let currency: ByteText
  let source: ByteText
  var state = ""
  /// The number of the age group, from 0.
  var age = 0

  var order: [ByteText] {
    [
      ByteText(liability), ByteText(dayText(periodEnd)), product, currency, source,
      ByteText(state), ByteText(String(age)),
    ]
  }
}

private struct LiabilityRow {
  var units = 0
  var opening: Amount?
  var sold: Amount?
  var earned: Amount?
  var refunded: Amount?
  var closing: Amount?

  /// Whether a row of unearned money says nothing.
  var isZero: Bool {
    units == 0 && [opening, sold, earned, refunded, closing].allSatisfy { $0?.digits ?? 0 == 0 }
  }

  static func add(_ amount: Amount?, to sum: inout Amount?) {
    guard let amount else { return }
    sum = sum.map { $0 + amount } ?? amount
  }
}

/// The subscriptions that begin and end on the same days.
private struct Term: Hashable {
  let start: Int
  let days: Int
  /// The day of a refund or an upgrade.
  let end: Int?
  let product: ByteText
  let currency: ByteText
  let source: ByteText
  /// The decimal places of the prices.
  let scale: Int

  /// The decimal places to which a part of the price is rounded.
  var partScale: Int { max(scale, Amount.minorDigits(of: currency.text)) }
}

/// A day's number since 1970 as YYYY-MM-DD.
private func dayText(_ day: Int) -> String { CivilTime(secondsSince1970: day * 86400).day }

private let ageGroups = ["to 30 days", "31 to 60 days", "61 to 90 days", "over 90 days"]

extension Ledger {
  /// The number of an instant's day since 1970, in the configured time zone.
  private func day(of moment: Int) -> Int {
    var day = floorDivision(moment, 86400) - 1
    while dayText(day) != civilTime(moment).day { day += 1 }
    return day
  }

  /// The first and the last day of each month of the statement.
  private var periods: [(first: Int, last: Int)] {
    let last = day(of: asOf)
    let since = settings.revenueSince ?? civilTime(asOf).firstDayOfPreviousMonth
    var periods: [(first: Int, last: Int)] = []
    var begin = last
    for day in stride(from: last, through: last - 20_000, by: -1) {
      if dayText(day).hasSuffix("-01") {
        periods.append((day, min(last, begin)))
        begin = day - 1
      }
      if ByteText(dayText(day).prefix(7) + "-01") == ByteText(since.prefix(7) + "-01"),
        dayText(day).hasSuffix("-01")
      {
        return periods
      }
      // revenue_since is a later month.
      if dayText(day).prefix(7) < since.prefix(7) { return [] }
    }
    return periods
  }

  func liabilitiesReport() -> String {
    var rows: [LiabilityKey: LiabilityRow] = [:]
    addUnearned(to: &rows)
    addOwed(to: &rows)
    return reportText(
      "liability,period_end,product_id,currency,price_source,state,age,units,opening,sold,earned,"
        + "refunded,closing",
      rows.filter { $0.key.liability == "owed" || !$0.value.isZero }
        .sorted { $0.key.order.lexicographicallyPrecedes($1.key.order) }.map { key, row in
          [
            .plain(key.liability), .plain(dayText(key.periodEnd)), .text(key.product),
            .text(key.currency), .text(key.source), .plain(key.state),
            .plain(key.liability == "owed" ? ageGroups[key.age] : ""), .number(row.units),
          ]
            + [row.opening, row.sold, row.earned, row.refunded, row.closing].map {
              .plain($0?.text ?? "")
            }
        })
  }

  private func addUnearned(to rows: inout [LiabilityKey: LiabilityRow]) {
    var terms: [Term: (units: Int, amount: Amount, refund: Amount)] = [:]
    for family in families {
      guard let purchase = family.completed, let expiry = purchase.expiryDate,
        let payment = payment(of: purchase), payment.amount.digits > 0
      else { continue }
      let start = day(of: purchase.purchaseDate)
      let zero = Amount(digits: 0, scale: payment.amount.scale)
      var refund = zero
      if family.refundDate != nil, !family.isRefundUpgrade {
        refund = payment.amount.part(family.refundPercentage)
      }
      let term = Term(
        start: start, days: max(1, day(of: expiry) - start),
        end: family.refundDate.map { max(start, day(of: $0)) },
        product: purchase.product, currency: payment.currency, source: ByteText(payment.source),
        scale: payment.amount.scale)
      let sums = terms[term] ?? (0, zero, zero)
      terms[term] = (
        sums.units + purchase.quantity, sums.amount + payment.amount, sums.refund + refund
      )
    }
    for (term, sums) in terms {
      // What was recognized by the end of a day, one day after the other.
      func recognized(_ day: Int) -> Amount {
        guard day >= term.start else { return Amount(digits: 0, scale: term.scale) }
        if let end = term.end, day >= end { return sums.amount - sums.refund }
        let elapsed = min(term.days, day - term.start + 1)
        let amount = sums.amount.widened(to: term.partScale)
        let doubled = amount.digits * elapsed * 2 + term.days
        return Amount(digits: doubled / (2 * term.days), scale: term.partScale)
      }
      func happened(_ day: Int?, by last: Int) -> Bool { day.map { $0 <= last } ?? false }
      for period in periods {
        let before = period.first - 1
        let isOver = before >= term.start + term.days - 1 || happened(term.end, by: before)
        let isEndedIn = happened(term.end, by: period.last) && !happened(term.end, by: before)
        guard term.start <= period.last, !isOver || isEndedIn else { continue }
        let zero = Amount(digits: 0, scale: term.scale)
        let sold = (before: term.start <= before, by: term.start <= period.last)
        func owed(_ isSold: Bool, _ day: Int) -> Amount {
          isSold && !happened(term.end, by: day) ? sums.amount - recognized(day) : zero
        }
        let key = LiabilityKey(
          liability: "unearned", periodEnd: period.last, product: term.product,
          currency: term.currency, source: term.source)
        var row = rows[key] ?? LiabilityRow()
        let isRunning =
          period.last < term.start + term.days - 1 && !happened(term.end, by: period.last)
        row.units += isRunning ? sums.units : 0
        LiabilityRow.add(owed(sold.before, before), to: &row.opening)
        LiabilityRow.add(sold.by && !sold.before ? sums.amount : zero, to: &row.sold)
        LiabilityRow.add(recognized(period.last) - recognized(before), to: &row.earned)
        LiabilityRow.add(isEndedIn ? sums.refund : zero, to: &row.refunded)
        LiabilityRow.add(owed(sold.by, period.last), to: &row.closing)
        rows[key] = row
      }
    }
  }

  private func addOwed(to rows: inout [LiabilityKey: LiabilityRow]) {
    for obligation in obligations() {
      // A refunded purchase is owed until its refund, and then the next one of the chain is.
      var owedFrom = Int.min
      let bought = obligation.families.filter { $0.completed != nil }.sorted {
        guard let first = $0.completed, let second = $1.completed else { return false }
        return MergedTransaction.isEarlier(first, second)
      }
      guard let booksBegin, obligation.purchase.purchaseDate >= booksBegin else { continue }
      for family in bought {
        addOwed(family, of: obligation, from: owedFrom, to: &rows)
        guard let refund = family.refundDate else { break }
        owedFrom = max(owedFrom, day(of: refund))
      }
    }
  }

  private func addOwed(
    _ family: Family, of obligation: Obligation, from reached: Int,
    to rows: inout [LiabilityKey: LiabilityRow]
  ) {
    if let purchase = family.completed {
      let payment = payment(of: purchase)
      guard let booksBegin, purchase.purchaseDate >= booksBegin,
        [.purchase, .renewal].contains(disposition(of: purchase))
          || payment.map({ $0.amount.digits > 0 }) == true
      else { return }
      let attempts = obligation.families.flatMap(\.deliveries)
      var asked = Int.min
      if catalogue.products[purchase.product]?.delivery == "on_demand" {
        guard let first = attempts.map(\.occurredAt).min() else { return }
        asked = day(of: first)
      }
      let bought = day(of: purchase.purchaseDate)
      let owedFrom = max(bought, reached, asked)
      let served = attempts.filter { $0.status == .delivered && $0.product == purchase.product }
        .map(\.occurredAt).min()
      let end = [served, family.refundDate].compactMap { $0 }.min()
      let settled = end.map { day(of: $0) }
      if let settled, dayText(settled).prefix(7) <= dayText(owedFrom).prefix(7) { return }
      let state =
        if settled != nil {
          served == end ? "delivered_later" : "refunded_later"
        } else if let missing = missingDelivery(obligation) {
          missing.reason == "no_records" ? "uncertain" : "missing"
        } else { "not_due" }
      for period in periods {
        guard owedFrom <= period.last, settled.map({ $0 > period.last }) ?? true else { continue }
        let days = period.last - bought
        let key = LiabilityKey(
          liability: "owed", periodEnd: period.last, product: purchase.product,
          currency: payment?.currency ?? ByteText(""),
          source: ByteText(payment?.source ?? "none"), state: state,
          age: days <= 30 ? 0 : days <= 60 ? 1 : days <= 90 ? 2 : 3)
        rows[key, default: LiabilityRow()].units += purchase.quantity
        LiabilityRow.add(payment?.amount, to: &rows[key, default: LiabilityRow()].closing)
      }
    }
  }
}

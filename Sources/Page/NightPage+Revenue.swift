extension NightPage {
  /// The days whose revenue is shown.
  var revenueSpan: String {
    revenueSince.map { "since \($0.words)" } ?? "in the last thirty days"
  }

  /// The currencies, each with its drawing and its days.
  var currencyValues: [[String: Any]] {
    revenue.enumerated().map { place, currency in
      [
        "listPrice": currency.total.listPriceWords.map { [["words": $0]] } ?? [],
        "code": currency.code, "net": Figure.grouped(decimal: currency.total.net),
        "gross": Figure.grouped(decimal: currency.total.gross),
        "refunds": Figure.grouped(decimal: currency.total.refunds),
        "chart": revenueDrawing(of: currency, place: place).values,
        "days": nights.compactMap { night -> [String: Any]? in
          guard let sum = currency.days[night.day] else { return nil }
          return [
            "label": night.label, "gross": Figure.grouped(decimal: sum.gross),
            "refunds": Figure.grouped(decimal: sum.refunds),
            "net": Figure.grouped(decimal: sum.net),
          ]
        },
      ]
    }
  }

  /// Draws sales above the line and refunds below it.
  private func revenueDrawing(of currency: Currency, place: Int) -> Drawing {
    let sums = nights.map { currency.days[$0.day] }
    let gross = sums.map { Self.size($0?.gross) }
    let refunds = sums.map { Self.size($0?.refunds) }
    let up = max(gross.max() ?? 0, 0)
    let down = max(refunds.max() ?? 0, 0)
    let all = up + down > 0 ? up + down : 1
    let top = 16.0
    let high = 92.0
    let zero = top + high * up / all
    var drawing = Drawing(
      id: "revenue-\(place)", kind: "chart", width: 360, height: top + high + 20,
      title: "Revenue by day in \(currency.code)",
      description:
        "Sold \(Figure.grouped(decimal: currency.total.gross)), refunds "
        + "\(Figure.grouped(decimal: currency.total.refunds)), net "
        + "\(Figure.grouped(decimal: currency.total.net)) \(revenueSpan)."
        + (currency.total.listPriceWords.map { " Of this, \($0)." } ?? ""))
    let step = 360 / Double(max(1, nights.count))
    for (place, night) in nights.enumerated() {
      guard let sum = sums[place] else { continue }
      let x = Double(place) * step + 1
      let charged = high * gross[place] / all
      let back = high * refunds[place] / all
      drawing.mark(
        "bar", x: x, y: zero - charged, width: step - 2, height: charged,
        hint: "\(night.label): sold \(Figure.grouped(decimal: sum.gross))")
      drawing.mark(
        "back", x: x + 0.5, y: zero + 0.5, width: step - 3, height: back,
        hint: "\(night.label): refunds \(Figure.grouped(decimal: sum.refunds))")
    }
    drawing.stroke("axis", [(0, zero), (360, zero)])
    if let most = gross.indices.max(by: { gross[$0] < gross[$1] }), let sum = sums[most] {
      let x = Double(most) * step + step / 2
      drawing.label(
        Figure.grouped(decimal: sum.gross), x: min(max(x, 30), 330), y: top - 5, anchor: "middle")
    }
    let y = top + high + 15
    drawing.label(nights.first?.label ?? "", x: 0, y: y)
    if nights.count > 20 {
      drawing.label(
        nights[nights.count / 2].label, x: (Double(nights.count / 2) + 0.5) * step, y: y,
        anchor: "middle")
    }
    drawing.label(nights.last?.label ?? "", x: 360, y: y, anchor: "end")
    return drawing
  }

  /// An amount as a length for the drawing.
  ///
  /// The texts show the exact amount.
  private static func size(_ amount: String?) -> Double { amount.flatMap { Double($0) } ?? 0 }
}

extension NightPage.Currency {
  /// Zero with the decimals of the currency: 0.00.
  ///
  /// A net after the refund of a part can have more decimals.
  var zero: String {
    let nets = days.values.map(\.net) + [total.net]
    let decimals = nets.map { $0.split(separator: ".").dropFirst().first?.count ?? 0 }.min() ?? 0
    return decimals == 0 ? "0" : "0." + String(repeating: "0", count: decimals)
  }
}

extension NightPage.Currency.Sum {
  /// How much of the sum is list price; nil if nothing is.
  fileprivate var listPriceWords: String? {
    let parts = [(listPrice, "sold"), (listRefunds, "refunded")].compactMap {
      amount, whole -> String? in
      guard let amount, amount.contains(where: { "123456789".contains($0) }) else { return nil }
      return "\(Figure.grouped(decimal: amount)) \(whole)"
    }
    guard !parts.isEmpty else { return nil }
    return "list prices (an estimate): \(parts.joined(separator: ", "))"
  }
}

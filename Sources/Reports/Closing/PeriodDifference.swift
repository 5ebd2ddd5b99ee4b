import CanonicalJSON

/// What has changed in the amounts of a period, by currency and source of amounts.
struct PeriodDifference {
  /// The array of a manifest or certificate.
  let json: CanonicalJSON

  /// - Parameter text: The array as the database gives it.
  init(_ text: String) throws { json = try CanonicalJSON(reading: Array(text.utf8)) }

  /// The changes in words; nil if there are none.
  var words: String? {
    let words = (json.elements ?? []).map { change in
      let units = change["units"]?.integer ?? 0
      let net = change["net"]?.string ?? ""
      let source = change["price_source"]?.string == "catalogue" ? " (list price)" : ""
      return "\(units) \(abs(units) == 1 ? "unit" : "units")"
        + (net.isEmpty ? "" : ", \(change["currency"]?.string ?? "") \(net)\(source)")
    }
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }
}

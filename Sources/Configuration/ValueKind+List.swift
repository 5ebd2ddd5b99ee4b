extension ValueKind<[String]> {
  /// The environments that count: any name except a misspelled name of Apple's.
  static let environments = ValueKind(
    allowed: "one or more environments, such as Production, Sandbox",
    read: { given throws(Complaint) in
      let names = try distinct(given.items())
      guard !names.isEmpty else { throw Complaint(problem: "names no environment") }
      for name in names where !appleEnvironments.contains(name) {
        guard let meant = likelyName(for: name, among: appleEnvironments) else { continue }
        throw Complaint(
          problem: "\(quoted(name)) is not how Apple writes it", suggestion: meant)
      }
      return names
    })

  /// Paths of files.
  static let files = ValueKind(
    allowed: "paths of files in PEM or DER, such as /etc/tieout/root.pem",
    read: { given throws(Complaint) in try distinct(given.items()) })

  /// Bundle identifiers.
  static let bundleIDs = ValueKind(
    allowed: "bundle identifiers, such as com.example.reader",
    read: { given throws(Complaint) in
      let names = try distinct(given.items())
      if let blank = names.first(where: { $0.contains(" ") }) {
        throw Complaint(problem: "\(quoted(blank)) is not a bundle identifier")
      }
      return names
    })
}

extension ValueKind<[String: String]> {
  /// The names that the delivery files use, by delivery column.
  static let deliveryColumns = columns(
    "delivery", among: deliveryColumnNames, example: ("server", "host"))

  /// The names that the files use, by column beside receipts.
  static let receiptColumns = columns(
    "receipt", among: receiptColumnNames, example: ("account_id", "user"))

  private static func columns(
    _ kind: String, among known: [String], example: (column: String, name: String)
  ) -> ValueKind {
    let (column, name) = example
    return ValueKind(
      allowed:
        "pairs of a \(kind) column and its name in the files, such as {\(column): \(name)} in the "
        + "settings file, or \(column)=\(name) in a variable",
      read: { given throws(Complaint) in
        let names = try given.mapping()
        for column in names.keys.sorted() where !known.contains(column) {
          throw Complaint(
            problem: "\(quoted(column)) is not a \(kind) column",
            suggestion: nearestName(to: column, among: known))
        }
        try requireOneColumn(for: known, in: names)
        return names
      })
  }

  /// Requires that no column of the files is read as two columns.
  private static func requireOneColumn(
    for known: [String], in names: [String: String]
  ) throws(Complaint) {
    var read: [String: String] = [:]
    for column in known {
      let name = names[column] ?? column
      guard let other = read.updateValue(column, forKey: name) else { continue }
      throw Complaint(
        problem: "reads the column \(quoted(name)) as \(quoted(other)) and as \(quoted(column))")
    }
  }

  /// Units, and amounts by currency.
  static let materiality = ValueKind(
    allowed:
      "pairs of units or a currency and a number, such as {units: 5, USD: 10.00} in the settings "
      + "file, or units=5,USD=10.00 in a variable",
    read: { given throws(Complaint) in
      let limits = try given.mapping()
      for (name, limit) in limits.sorted(by: { $0.key < $1.key }) {
        let isCurrency =
          name.utf8.count == 3
          && name.utf8.allSatisfy((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains)
        guard name == "units" || isCurrency else {
          throw Complaint(
            problem: "\(quoted(name)) is neither units nor a currency such as USD",
            suggestion: nearestName(to: name, among: ["units"]))
        }
        guard isNumber(limit, withFraction: isCurrency) else {
          throw Complaint(
            problem: "\(quoted(limit)) is not a \(isCurrency ? "decimal" : "whole number")")
        }
      }
      return limits
    })

  /// Whether a text is a number of at most 18 digits on each side of its point.
  private static func isNumber(_ text: String, withFraction: Bool) -> Bool {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count <= (withFraction ? 2 : 1)
      && parts.allSatisfy { part in
        (1...18).contains(part.utf8.count) && isOfDigits(part)
      }
  }
}

/// The environments that Apple names in receipts and signed transactions.
package let appleEnvironments = ["Production", "Sandbox", "Xcode", "LocalTesting"]

/// The columns of a delivery record.
let deliveryColumnNames = [
  "delivery_id", "transaction_id", "product_id", "status", "occurred_at", "environment",
  "original_transaction_id", "web_order_line_item_id", "account_id", "device_id", "server",
  "region", "app_version", "error", "bytes", "revision",
]

/// The columns of a table with receipts that say from whom, where and when the evidence comes.
let receiptColumnNames = ["account_id", "device_id", "storefront", "received_at"]

/// The items, if no two are equal.
func distinct(_ items: [String]) throws(Complaint) -> [String] {
  var seen: Set<String> = []
  for item in items where !seen.insert(item).inserted {
    throw Complaint(problem: "names \(quoted(item)) twice")
  }
  return items
}

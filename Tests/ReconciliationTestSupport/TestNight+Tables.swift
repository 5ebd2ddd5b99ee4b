import Foundation

/// An instant in a drawn table: `2026-11-18 10:00`, in UTC; seconds are optional.
struct Moment {
  /// As RFC 3339, for instance `2026-11-18T10:00:00Z`.
  let rfc3339: String
  /// As Apple writes it, for instance `2026-11-18 10:00:00 Etc/GMT`.
  let apple: String

  init(_ text: String) {
    guard !text.hasSuffix("Z") else {
      rfc3339 = text
      apple = text.dropLast().replacing("T", with: " ") + " Etc/GMT"
      return
    }
    let seconds = text.filter { $0 == ":" }.count < 2 ? ":00" : ""
    rfc3339 = text.replacing(" ", with: "T") + seconds + "Z"
    apple = text + seconds + " Etc/GMT"
  }
}

extension TestNight {
  /// Puts receipts into the inbox: one document for each row, with one transaction.
  ///
  /// Columns: transaction_id, original_transaction_id (default: the transaction itself),
  /// product_id, purchased_at. Optional columns: original_purchased_at, quantity, expires_at,
  /// web_order_line_item_id, cancelled_at, trial, introductory, promotional, family_shared,
  /// upgraded (yes), price, currency, environment, told_at (the receipt's creation date),
  /// account_id, device_id, storefront.
  package func transactions(_ table: String) throws {
    let lines = DrawnTable(table).records.map { row in
      var entry: [String: Any] = [:]
      let names = [
        "transaction_id": "transaction_id", "product_id": "product_id", "quantity": "quantity",
        "web_order_line_item_id": "web_order_line_item_id", "price": "price",
        "currency": "currency",
      ]
      for (column, name) in names { entry[name] = row[column] }
      entry["original_transaction_id"] = row["original_transaction_id"] ?? row["transaction_id"]
      let dates = [
        "purchased_at": "purchase_date", "original_purchased_at": "original_purchase_date",
        "expires_at": "expires_date", "cancelled_at": "cancellation_date",
      ]
      for (column, name) in dates { entry[name] = row[column].map { Moment($0).apple } }
      if row["trial"] == "yes" { entry["is_trial_period"] = "true" }
      if row["introductory"] == "yes" { entry["is_in_intro_offer_period"] = "true" }
      if row["promotional"] == "yes" { entry["promotional_offer_id"] = "autumn" }
      if row["family_shared"] == "yes" { entry["in_app_ownership_type"] = "FAMILY_SHARED" }
      if row["upgraded"] == "yes" { entry["is_upgraded"] = "true" }
      var receipt: [String: Any] = ["bundle_id": "com.example.reader", "in_app": [entry]]
      receipt["receipt_creation_date"] = row["told_at"].map { Moment($0).apple }
      let response: [String: Any] = [
        "status": 0, "environment": row["environment"] ?? "Production", "receipt": receipt,
      ]
      var envelope: [String: Any] = ["verifyReceiptResponse": response]
      for name in ["account_id", "device_id", "storefront"] { envelope[name] = row[name] }
      return json(envelope)
    }
    try put(lines.joined(separator: "\n") + "\n", at: fresh("receipts", "ndjson"))
  }

  /// Puts delivery records into the inbox: CSV with the drawn columns.
  ///
  /// The default of `status` is delivered; by default `delivery_id` counts from D1.
  package func deliveries(_ table: String) throws {
    let drawn = DrawnTable(table)
    var header = drawn.header
    if !header.contains("status") { header.append("status") }
    if !header.contains("delivery_id") { header.append("delivery_id") }
    let lines = drawn.records.enumerated().map { index, row in
      header.map { column in
        switch column {
        case "occurred_at": row[column].map { Moment($0).rfc3339 } ?? ""
        case "status": row[column] ?? "delivered"
        case "delivery_id": row[column] ?? "D\(index + 1)"
        default: "\"\((row[column] ?? "").replacing("\"", with: "\"\""))\""
        }
      }.joined(separator: ",")
    }
    try put(
      ([header.joined(separator: ",")] + lines).joined(separator: "\r\n") + "\r\n",
      at: fresh("deliveries", "csv"))
  }

  /// Puts a client's log into the inbox: CSV with the drawn columns.
  ///
  /// Entries of a payment queue have `state` and `transaction_date`. Reports of invalid identifiers
  /// have `reported_at`. Both are instants in the form of all drawn tables.
  package func clientLog(_ table: String) throws {
    let drawn = DrawnTable(table)
    let lines = drawn.records.map { row in
      drawn.header.map { column in
        let value = row[column] ?? ""
        let isMoment = column == "transaction_date" || column == "reported_at"
        return isMoment ? Moment(value).rfc3339 : "\"\(value.replacing("\"", with: "\"\""))\""
      }.joined(separator: ",")
    }
    try put(
      ([drawn.header.joined(separator: ",")] + lines).joined(separator: "\r\n") + "\r\n",
      at: fresh("client", "csv"))
  }

  /// Puts a catalogue of version 2 into the inbox: one product for each row.
  ///
  /// Columns: product_id. Optional columns: type, delivery, delivery_per, grace_hours, valid_from,
  /// valid_to, prices (`USD 0.99, EUR 1.09 DEU, USD 1.19 USA 2026-11-01 00:00`).
  package func catalogue(_ table: String) throws {
    let products = DrawnTable(table).records.map { row in
      var product: [String: Any] = [:]
      for name in ["product_id", "type", "delivery", "delivery_per"] { product[name] = row[name] }
      product["grace_hours"] = row["grace_hours"].flatMap { Int($0) }
      for name in ["valid_from", "valid_to"] {
        product[name] = row[name].map { Moment($0).rfc3339 }
      }
      product["prices"] = row["prices"]?.split(separator: ",").map { price in
        let words = price.split(separator: " ").map(String.init)
        var value = ["currency": words[0], "price": words[1]]
        if words.count > 2 { value["storefront"] = words[2] }
        if words.count > 4 { value["valid_from"] = Moment("\(words[3]) \(words[4])").rfc3339 }
        return value
      }
      return product
    }
    try put(json(["version": 2, "products": products]), at: fresh("catalog", "json"))
  }

  func json(_ object: [String: Any]) -> String {
    let data = try? JSONSerialization.data(
      withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data ?? Data(), as: UTF8.self)
  }
}

import Configuration
import Foundation
import NightRun
import PostgreSQL
import ReconciliationTestSupport
import Reports
import Testing

/// Strings that look like SQL, formulas, paths or commands, in every field of every kind of file.
@Suite("Strings from outside") struct OutsideStringsTests {
  private static let asOf = "2026-11-20 03:00"

  private static let receipt: [String: String] = [
    "transaction_id": "1", "original_transaction_id": "1", "product_id": "book",
    "web_order_line_item_id": "5", "quantity": "1", "purchase_date": "2026-11-18 10:00:00 Etc/GMT",
    "original_purchase_date": "2026-11-18 10:00:00 Etc/GMT", "price": "0.99", "currency": "USD",
    "in_app_ownership_type": "PURCHASED", "promotional_offer_id": "",
  ]
  private static let answer: [String: String] = ["status": "0", "environment": "Production"]
  private static let envelope: [String: String] = [
    "account_id": "anna", "device_id": "d", "storefront": "USA",
    "received_at": "2026-11-19T03:04:05Z",
  ]
  private static let delivery: [String: String] = [
    "delivery_id": "D", "transaction_id": "1", "product_id": "book", "status": "failed",
    "occurred_at": "2026-11-18T10:00:00Z", "environment": "Production",
    "original_transaction_id": "1", "web_order_line_item_id": "5", "account_id": "anna",
    "device_id": "d", "server": "s", "region": "r", "app_version": "1", "error": "e", "bytes": "5",
  ]
  private static let queueEntry: [String: String] = [
    "transaction_id": "1", "original_transaction_id": "1", "product_id": "book",
    "state": "purchased", "transaction_date": "2026-11-18T10:00:00Z", "account_id": "anna",
    "device_id": "d", "app_version": "1", "environment": "Production",
  ]
  private static let report: [String: String] = [
    "product_id": "book", "reported_at": "2026-11-18T10:00:00Z", "app_version": "1",
    "account_id": "anna", "device_id": "d",
  ]
  private static let product: [String: String] = [
    "product_id": "book", "type": "consumable", "delivery": "server", "delivery_per": "purchase",
    "valid_from": "2020-01-01T00:00:00Z", "valid_to": "2030-01-01T00:00:00Z", "grace_hours": "1",
  ]

  private static func line(_ object: [String: Any]) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self) + "\n"
  }

  /// One record for each field of the record, with the string in that field.
  private static func planted(_ string: String, in record: [String: String]) -> [[String: String]] {
    record.keys.sorted().map { record.merging([$0: string]) { $1 } }
  }

  /// Receipts with the string in each field of the transaction, the answer and the envelope.
  private static func receipts(_ string: String) throws -> String {
    func document(
      _ entry: [String: String], _ answer: [String: String], _ envelope: [String: String],
      bundle: String = "com.example.reader"
    ) throws -> String {
      var whole: [String: Any] = envelope
      whole["verifyReceiptResponse"] = (answer as [String: Any]).merging(
        ["receipt": ["bundle_id": bundle, "in_app": [entry]]]) { $1 }
      return try line(whole)
    }
    return try planted(string, in: receipt).map { try document($0, answer, envelope) }.joined()
      + planted(string, in: answer).map { try document(receipt, $0, envelope) }.joined()
      + planted(string, in: envelope).map { try document(receipt, answer, $0) }.joined()
      + document(receipt, answer, envelope, bundle: string)
  }

  /// An inbox with every string in every field, in files that are named after the string.
  private static func plantedNight() throws -> TestNight {
    let night = try TestNight()
    night.settings.bundleIDs = ["com.example.reader"]
    night.settings.booksBegin = "2020-01-01T00:00:00Z"
    for (number, string) in AttackString.all.enumerated() {
      let name = AttackString.long == string ? "long" : string.replacing("/", with: "\u{2215}")
      // A file whose name begins with a point is not read.
      let file = "\(number)/\(name.hasPrefix(".") ? "_" : "")\(name)"
      try night.put(receipts(string), at: "receipts/\(file)")
      let deliveries = planted(string, in: delivery).enumerated().map { field, record in
        // Each record needs an id of its own.
        record["delivery_id"] == "D"
          ? record.merging(["delivery_id": "D\(number) \(field)"]) { $1 } : record
      }
      try night.put(deliveries.map { try line($0) }.joined(), at: "deliveries/\(file)")
      let client = planted(string, in: queueEntry) + planted(string, in: report)
      try night.put(client.map { try line($0) }.joined(), at: "client/\(file)")
      let price = ["currency": "USD", "price": "1", "storefront": "USA"]
      let products: [[String: Any]] =
        planted(string, in: product).map { $0 }
        + planted(string, in: price).map { ["product_id": "priced", "prices": [$0]] }
      try night.put(line(["version": 2, "products": products]), at: "catalog/\(file)")
      // Reports about the same day would replace each other.
      let day = "10/\(10 + number % 18)/\(2020 + number / 18)"
      let report = AppleReports.sales(day, ["SKU US 2 1.40 USD 1.99 USD"])
        .replacing("SKU\tIA1", with: "\(string)\tIA1")
      try night.put(report, at: "apple/\(file)")
    }
    return night
  }

  private static let tables = """
    select string_agg(format('%s.%s', table_schema, table_name), ' ' order by table_name) as names
    from information_schema.tables
    where table_schema = 'tieout'
    """

  @Test("no string is run, no record is lost, and every report keeps its form")
  func everyField() throws {
    let night = try Self.plantedNight()
    let summary = try night.run(asOf: Self.asOf)
    let untouched = try TestNight.afterEmptyNight()
    #expect(try night.database.draw(Self.tables) == untouched.database.draw(Self.tables))
    for line in summary.lines where line.kind != "acknowledgements" {
      #expect(line.read > 0 && line.read == line.new + line.alreadyKnown + line.rejected)
    }
    #expect(
      try night.table("rejected_records.csv").rows.count == Int(summary.rejected))
    try expectGuarded(night)

    // A text field stores the strings unchanged.
    let kept = try night.database.connect().run(
      "select distinct error from tieout.delivery_record where error <> 'e'", step: "test")
    #expect(
      Set(kept.values.compactMap { $0[0] }.map { Array($0.utf8) })
        == Set(AttackString.all.map { Array($0.utf8) }))
    let recomputed = try night.recompute()
    #expect(recomputed.corrections == 0)
    #expect(try night.run(asOf: Self.asOf).lines.allSatisfy { $0.new == 0 && $0.rejected == 0 })
    // Nothing was written outside the folders.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: night.folder.path).sorted()
        == ["inbox", "reports"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: night.reports.path).sorted()
        == ["2026-11-20", "editions.txt", "index.html", "latest"])
  }

  /// Expects that a spreadsheet would run no field of any report, and that all rows are complete.
  private func expectGuarded(_ night: TestNight) throws {
    for report in Report.all {
      let table = try night.table(report.fileName)
      #expect(table.rows.allSatisfy { $0.count == table.header.count }, "\(report.fileName)")
      for field in table.rows.joined() {
        // A control character could steer the terminal that prints the file.
        #expect(field.unicodeScalars.allSatisfy(isPrintable), "\(report.fileName): \(field)")
        guard let first = field.unicodeScalars.first, "=+-@\t\r\n".unicodeScalars.contains(first)
        else { continue }
        #expect(Double(field) != nil && first == "-", "\(report.fileName): \(field)")
      }
    }
  }

  private func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory != .control || "\t\r\n".unicodeScalars.contains(scalar)
  }

  @Test("reports show identifiers as they were sent, except for the apostrophe")
  func roundTrip() throws {
    let night = try TestNight()
    try night.put(#"["book"]"#, at: "catalog/list.json")
    var sent: Set<[UInt8]> = []
    for (number, string) in AttackString.short.enumerated() {
      let record = Self.delivery.merging(
        ["product_id": string, "delivery_id": "\(number)"]) { $1 }
      try night.put(try Self.line(record), at: "deliveries/\(number).ndjson")
      let isRefused = string.unicodeScalars.contains { $0.properties.generalCategory == .control }
      if !isRefused { sent.insert(Array(string.utf8)) }
    }
    let summary = try night.run(asOf: Self.asOf)
    #expect(Int(summary.rejected) == AttackString.short.count - sent.count)
    let shown = try night.table("invalid_product_ids.csv").columns(["product_id"]).rows.map {
      let text = $0[0]
      let isGuarded =
        text.hasPrefix("'")
        && "=+-@".unicodeScalars.contains(text.unicodeScalars.dropFirst().first ?? " ")
      return Array((isGuarded ? String(text.dropFirst()) : text).utf8)
    }
    #expect(Set(shown) == sent && shown.count == sent.count)
  }
}

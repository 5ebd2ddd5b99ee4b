import Foundation
import ReconciliationTestSupport
import Reports
import Testing

@Suite("Bytes of the reports")
struct CSVBytesTests {
  @Test("in a night without data each report has a header, ended by CR LF")
  func headers() throws {
    let night = try TestNight.afterEmptyNight()
    #expect(
      try night.report("missing_deliveries.csv")
        == "transaction_id,original_transaction_id,product_id,account_id,purchased_at,due_at,"
        + "hours_overdue,reason,attempts,last_attempt_at,last_error,first_flagged_on,"
        + "possible_match_delivery_id,possible_match_differs,amount,currency,price_source,"
        + "environment,units\r\n")
    #expect(
      try night.report("invalid_product_ids.csv")
        == "product_id,reason,closest_product_id,transactions,deliveries,accounts,first_seen_at,"
        + "last_seen_at,sample_transaction_id,first_flagged_on\r\n")
    #expect(
      try night.report("duplicate_restores.csv")
        == "original_transaction_id,product_id,web_order_line_item_id,purchase_transaction_id,"
        + "restored_transactions,surplus_transactions,first_restored_at,last_restored_at,deliveries,"
        + "accounts,devices,restored_transaction_ids,first_flagged_on,environment\r\n")
    #expect(
      try night.report("revenue.csv")
        == "day,product_id,product_type,product_state,storefront,currency,price_source,units_sold,"
        + "gross,units_refunded,refunds,net,units_upgraded\r\n")
    #expect(
      try night.report("findings.csv")
        == "rule,level,subject,reason,detail,first_flagged_on,status,finding,amount,currency\r\n")
    #expect(
      try night.report("rejected_records.csv") == "file,line,kind,reason,detail,excerpt,records\r\n"
    )
    #expect(try night.report("control_totals.csv").hasPrefix("section,measure,value\r\n"))
  }

  @Test("fields are quoted where RFC 4180 requires it, and missing values are empty")
  func quoting() throws {
    let night = try TestNight.withOpenBooks()
    try night.put(#"["a, \"b\""]"#, at: "catalog/list.json")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | a, "b"     | 2026-11-18 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let lines = try night.report("missing_deliveries.csv").components(separatedBy: "\r\n")
    #expect(lines.count == 3)
    #expect(
      lines[1]
        == #"1,1,"a, ""b""",,2026-11-18T10:00:00Z,2026-11-19T10:00:00Z,17,no_records,0,,,2026-11-20,,,,,none,Production,1"#
    )
    #expect(lines[2].isEmpty)
  }

  @Test("text that a spreadsheet would run gets an apostrophe; a number does not")
  func formulas() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    let errors = ["=1+1", "+1", "-1", "@a", "\ta", "\ra", "\na", "1=1", "'a", " =1"]
    var records = ""
    for (index, error) in errors.enumerated() {
      try night.transactions(
        """
        transaction_id | product_id | purchased_at
        \(index + 1)   | book       | 2026-11-18 10:00
        """)
      let record = [
        "delivery_id": "D\(index)", "transaction_id": "\(index + 1)", "product_id": "book",
        "status": "failed", "occurred_at": "2026-11-18T10:01:00Z", "error": error,
      ]
      records += String(decoding: try JSONEncoder().encode(record), as: UTF8.self) + "\n"
    }
    try night.put(records, at: "deliveries/log.ndjson")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | cancelled_at     | price | currency
      90             | -minus     | 2026-11-10 10:00 | 2026-11-11 10:00 | 0.99  | USD
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let shown = try night.table("missing_deliveries.csv").columns(["last_error"]).rows.map { $0[0] }
    #expect(
      shown == ["'=1+1", "'+1", "'-1", "'@a", "'\ta", "'\ra", "'\na", "1=1", "'a", " =1"])
    let refund = try #require(
      try night.table("revenue.csv").rows(where: "day", is: "2026-11-11").records.first)
    #expect(refund["product_id"] == "'-minus")
    #expect(refund["net"] == "-0.99")
  }

  @Test("every line ends with CR LF, and there is no byte-order mark")
  func lineEnds() throws {
    let night = try TestNight()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | böok       | 2026-11-18 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    for report in Report.all {
      let path = night.reports.appending(path: "latest/\(report.fileName)")
      let bytes = [UInt8](try Data(contentsOf: path))
      #expect(bytes.first?.isASCIILetter == true, "\(report)")
      for (index, byte) in bytes.enumerated() where byte == 10 {
        #expect(index > 0 && bytes[index - 1] == 13, "\(report)")
      }
      #expect(bytes.suffix(2) == [13, 10], "\(report)")
    }
  }

  @Test("SHA256SUMS lists every other file by name, and sha256sum accepts all of them")
  func checksums() throws {
    let night = try TestNight.afterEmptyNight()
    let folder = night.reports.appending(path: "2026-11-20")
    let others = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0 != "SHA256SUMS" }.sorted()
    #expect(
      others
        == (Report.all.map(\.fileName) + ["index.html", "manifest.json", "reconciliation.xlsx"])
        .sorted())
    let listed = try night.report("SHA256SUMS").split(separator: "\n").map { $0.dropFirst(66) }
    #expect(listed.map(String.init) == others)
    #expect(try checksumStatus(in: folder) == 0)
    try Data("changed".utf8).write(to: folder.appending(path: "revenue.csv"))
    #expect(try checksumStatus(in: folder) != 0)
  }

  private func checksumStatus(in folder: URL) throws -> Int32 {
    let check = Process()
    check.executableURL = URL(filePath: "/usr/bin/env")
    check.arguments = ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"]
    check.currentDirectoryURL = folder
    check.standardOutput = FileHandle.nullDevice
    check.standardError = FileHandle.nullDevice
    try check.run()
    check.waitUntilExit()
    return check.terminationStatus
  }
}

extension UInt8 {
  fileprivate var isASCIILetter: Bool {
    self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z")
  }
}

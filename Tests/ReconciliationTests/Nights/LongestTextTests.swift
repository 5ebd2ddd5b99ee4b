import DamageTestSupport
import NightRun
import ReconciliationTestSupport
import Testing

/// An index row has room for 2,704 bytes, and texts from outside are part of keys.
@Suite("Texts of the maximum length")
struct LongestTextTests {
  /// Text that does not become shorter when it is compressed, of characters with four bytes.
  private static func text(_ length: Int, _ seed: UInt64) -> String {
    var random = Dice(seed)
    return String(
      String.UnicodeScalarView(
        (0..<length).compactMap { _ in
          Unicode.Scalar(UInt32(0x20000 + Int(random.next() % 40_000)))
        }))
  }

  @Test("records whose texts are as long as allowed are loaded, judged and reported")
  func longest() throws {
    let night = try TestNight.withOpenBooks()
    let product = Self.text(255, 1)
    let (account, device, delivery) = (Self.text(255, 2), Self.text(255, 3), Self.text(255, 4))
    let (server, region, version) = (Self.text(63, 5), Self.text(63, 6), Self.text(63, 7))
    let error = Self.text(16_000, 8)
    try night.put(
      """
      {"version":2,"products":[{"product_id":"\(product)","type":"non_consumable"}]}
      """, at: "catalog/a.json")
    for (number, status) in ["delivered", "failed", "pending"].enumerated() {
      let transaction = Self.text(100, 100 &+ UInt64(number))
      try night.put(
        """
        {"status":0,"environment":"Production","receipt":{"bundle_id":"b","in_app":[\
        {"quantity":"1","product_id":"\(product)","transaction_id":"\(transaction)",\
        "original_transaction_id":"\(transaction)","purchase_date_ms":"1794960000000"}]},\
        "account_id":"\(account)","device_id":"\(device)"}

        """, at: "receipts/\(number).ndjson")
      try night.put(
        """
        {"delivery_id":"\(delivery.dropLast())\(number)","transaction_id":"\(transaction)",\
        "product_id":"\(product)","occurred_at":"2026-11-18T10:00:00Z","status":"\(status)",\
        "account_id":"\(account)","device_id":"\(device)","server":"\(server)",\
        "region":"\(region)","app_version":"\(version)","error":"\(error)"}

        """, at: "deliveries/\(number).ndjson")
      try night.put(
        """
        {"transaction_id":"\(transaction)","original_transaction_id":"\(transaction)",\
        "product_id":"\(product)","state":"restored","transaction_date":"2026-11-18T10:00:00Z",\
        "account_id":"\(account)","device_id":"\(device)","app_version":"\(version)"}

        """, at: "client/\(number).ndjson")
    }
    let first = try night.run(asOf: "2026-11-20 03:00")
    let rejected = try night.table("rejected_records.csv").columns(["file", "reason", "detail"])
    #expect(rejected.rows.isEmpty, "\(rejected.rows)")
    #expect(first.transactions == 3)
    #expect(try night.run(asOf: "2026-11-21 03:00").rejected == 0)
    #expect(try night.recompute().corrections == 0)
  }
}

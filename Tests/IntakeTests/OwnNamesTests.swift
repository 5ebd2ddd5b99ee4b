import Intake
import Testing

@Suite("Deliveries with the company's own names")
struct OwnNamesTests {
  private static let mapping = [
    "delivery_id": "id", "transaction_id": "txn", "product_id": "item", "occurred_at": "time",
  ]
  private static let values = [
    ("id", "\"d1\""), ("txn", "\"1\""), ("item", "\"a\""), ("status", "\"delivered\""),
    ("time", "\"2026-11-19T03:04:05Z\""),
  ]

  private static func record(_ more: [(String, String)] = []) -> String {
    "{" + (more + values).map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}\n"
  }

  /// Other members that a company's log may have, some with names that Apple uses.
  private static let records =
    [record()]
    + [
      ("receipt", "\"r-17\""), ("receipt", "{\"a\":1}"), ("data", "[1]"), ("errorCode", "\"E5\""),
      ("Payload", "5"), ("notification_type", "7"), ("latest_receipt_info", "\"x\""),
    ].map { record([$0]) }

  @Test(
    "deliveries lack a field until their names are mapped", arguments: records)
  func unmapped(record: String) throws {
    let staged = try stage(record + record, in: .deliveries)
    #expect(
      staged.reasons == ["1 | delivery | missing_field", "2 | delivery | missing_field"])
    #expect(staged.rejections[0]["detail"]?.contains("delivery_columns") == true)
    let mapped = try stage(
      record, in: .deliveries, IntakeSettings(deliveryColumns: Self.mapping))
    #expect(mapped.rejections.isEmpty)
    #expect(Staged.drawn(mapped.deliveries, "delivery_id status") == ["d1 | delivered"])
  }

  @Test("an answer of Apple is still in the wrong folder")
  func answers() throws {
    for text in [
      #"{"status":21007}"#, #"{"status":"0","environment":"Sandbox"}"#,
      #"{"status":0,"receipt":{}}"#, #"{"receipt-data":"MIIB"}"#, #"{"signedPayload":"eyJ"}"#,
    ] {
      #expect(
        try stage(text + "\n", in: .deliveries).reasons == ["- | file | wrong_folder"], "\(text)")
    }
    let own = try stage(#"{"id":1,"status":200}"# + "\n", in: .deliveries)
    #expect(own.reasons == ["1 | delivery | missing_field"])
  }
}

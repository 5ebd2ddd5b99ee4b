import ReconciliationTestSupport
import Testing

@Suite("The date of evidence")
struct EvidenceAgeTests {
  @Test(
    "evidence has the date of its receipt or request, else of its arrival, else of the purchase")
  func age() throws {
    let night = try TestNight()
    func entry(_ id: Int) -> String {
      #""transaction_id":"\#(id)","product_id":"book","purchase_date":"2026-11-01 10:00:00 Etc/GMT""#
    }
    let created = #""receipt_creation_date":"2026-11-03 10:00:00 Etc/GMT""#
    let requested = #""request_date":"2026-11-05 10:00:00 Etc/GMT""#
    let received = #""received_at":"2026-11-07T10:00:00Z""#
    let documents = [
      // One answer with both lists: in_app has the date of the receipt, the other list that of the
      // request.
      #"{\#(received),"verifyReceiptResponse":{"status":0,"receipt":{\#(created),\#(requested),"#
        + #""in_app":[{\#(entry(1))}]},"latest_receipt_info":[{\#(entry(2))}]}}"#,
      // The older form of an answer.
      #"{\#(received),"verifyReceiptResponse":{"status":0,"receipt":{\#(requested),\#(entry(3))}}}"#,
      #"{\#(received),"verifyReceiptResponse":{"status":0,"receipt":{"in_app":[{\#(entry(4))}]}}}"#,
      #"{"status":0,"receipt":{"in_app":[{\#(entry(5))}]}}"#,
    ]
    try night.put(documents.joined(separator: "\n") + "\n", at: "receipts/ages.ndjson")
    try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      query: "select transaction_id, csv_instant(evidence_at) as told_at from evidence order by 1",
      gives: """
        transaction_id | told_at
        1              | 2026-11-03T10:00:00Z
        2              | 2026-11-05T10:00:00Z
        3              | 2026-11-05T10:00:00Z
        4              | 2026-11-07T10:00:00Z
        5              | 2026-11-01T10:00:00Z
        """)
  }
}

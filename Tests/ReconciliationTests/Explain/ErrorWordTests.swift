import Explain
import ReconciliationTestSupport
import Testing

@Suite("Explaining an error text that is a single word with a digit")
struct ErrorWordTests {
  /// A missing delivery with the error `E1001`, and a failed attempt that is not due with `503`.
  private static func night() throws -> TestNight { try TestNight(copyOf: first.get()) }

  /// The night that is copied; no test connects to its database.
  nonisolated(unsafe) private static let first: Result<TestNight, any Error> = Result {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      1              | book       | 2026-11-10 10:00 | anna
      2              | book       | 2026-11-19 20:00 | ben
      3              | book       | 2026-11-10 10:00 | cleo
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | status | occurred_at      | server | error
      a           | 1              | book       | failed | 2026-11-10 10:05 | eu     | E1001
      b           | 2              | book       | failed | 2026-11-19 20:05 | eu     | 503
      c           | 3              | book       | failed | 2026-11-10 10:05 | eu     | E1002
      """)
    try night.put(
      """
      delivery_id,transaction_id,product_id,status,occurred_at
      d-9,4711,book,strange,2026-11-10T12:00:00Z

      """, at: "deliveries/bad.csv")
    try night.run(asOf: "2026-11-20 03:00")
    return night.removedAtExit()
  }

  @Test("an unknown ID is no error text, and its rejected record is shown")
  func unknown() throws {
    let night = try Self.night()
    func explain(_ name: String) throws -> Explanation {
      try Inquiry(about: name, database: night.database.connectionString).explanation
    }
    for name in ["4712", "350001178386565", "E1003", "ipad-9"] {
      #expect(try explain(name).isEmpty, "\(name)")
    }
    let rejected = try explain("4711")
    #expect(rejected.overview == nil)
    #expect(rejected.rejections.map(\.reason) == ["bad_status"])
    let known = try explain("1")
    #expect(known.things.count == 1 && known.alsoKnownAs.isEmpty)
  }

  @Test("exactly the text of the log is explained, and # means every such text")
  func known() throws {
    let night = try Self.night()
    func explain(_ name: String) throws -> Explanation.Overview {
      try #require(
        try Inquiry(about: name, database: night.database.connectionString).explanation.overview,
        "\(name)")
    }
    let missing = try explain("E1001")
    #expect(missing.kind == .error && missing.name == "E1001")
    #expect(
      missing.sentence
        == "1 delivery is missing, with the error “E1001”, attempted on 2026-11-10T10:05:00Z, "
        + "of 1 account.")
    #expect(missing.facts.filter { $0.section == "example" }.map(\.name) == ["1"])
    let open = try explain("503")
    #expect(open.kind == .error && open.name == "503")
    #expect(
      open.sentence.hasPrefix(
        "No delivery whose latest attempt has the error “503” is missing. 1 "))
    #expect(open.facts.filter { $0.section == "attempt" }.map(\.name) == ["2"])
    #expect(try explain("#").sentence.hasPrefix("2 deliveries are missing, with the error “#”, "))
  }
}

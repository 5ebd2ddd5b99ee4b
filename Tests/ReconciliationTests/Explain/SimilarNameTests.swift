import Explain
import ReconciliationTestSupport
import Testing

@Suite("Suggestions for an unknown name")
struct SimilarNameTests {
  @Test("errors, servers, regions, products and files that contain the name are suggested")
  func kinds() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook.emma\nfull.set")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book.emma  | 2026-11-18 10:00
      2              | book.emma  | 2026-11-18 10:00
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | status    | server  | region     | error
      1              | book.emma  | 2026-11-18 10:05 | failed    | Full-eu | fullwood   | Disk 7 full
      2              | book.emma  | 2026-11-18 10:05 | delivered | us-2    | us-east-12 |
      3              | book.emma  | 2026-11-18 10:05 | failed    | us-2    | us-east-12 | queue full
      """)
    try night.run(asOf: "2026-11-20 03:00")
    func similar(_ name: String) throws -> [String] {
      try Inquiry(about: name, database: night.database.connectionString)
        .explanation.similarNames.map { "\($0.kind) \($0.name)" }
    }
    let full = try similar("full")
    #expect(
      full == [
        "error Disk # full", "error queue full", "server Full-eu", "region fullwood",
        "product full.set",
      ])
    #expect(try similar("east-12") == ["region us-east-12"])
    #expect(try similar("eliveries/") == ["file deliveries/3.csv"])
    #expect(try similar("ful") == [])
    // A suggested error can be explained.
    let error = try Inquiry(about: "Disk # full", database: night.database.connectionString)
    #expect(error.explanation.overview?.kind == .error)
  }
}

import Explain
import ReconciliationTestSupport
import Testing

@Suite("Suggestions for an unknown name")
struct SimilarNameTests {
  @Test("a name with one wrong digit or two swapped characters is suggested, wherever that is")
  func misspelt() throws {
    let id = "350001178386565"
    // 500 bytes.
    let long = String(repeating: "ü", count: 250)
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\ncom.example.book.emma\nmap\n\(long)")
    try night.transactions(
      """
      transaction_id | product_id            | purchased_at     | account_id  | web_order_line_item_id
      \(id)         | com.example.book.emma | 2026-11-18 10:00 | reader-1017 | 700000000000001
      5               | map                   | 2026-11-18 10:00 |             |
      """)
    // A missing delivery has an error that is a single word with a digit, as most names are.
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id            | occurred_at      | server    | status    | error
      dlv-2026-17 | \(id)         | com.example.book.emma | 2026-11-18 10:05 | content-1 | delivered |
      other       | 5              | map                   | 2026-11-18 10:05 | content-1 | failed    | E1001
      """)
    try night.run(asOf: "2026-11-20 03:00")
    func similar(_ name: String) throws -> [String] {
      let explanation = try Inquiry(about: name, database: night.database.connectionString)
        .explanation
      #expect(explanation.isEmpty, "\(name)")
      return explanation.similarNames.map { "\($0.kind) \($0.name)" }
    }
    // The first two places, one in the middle, and the last two.
    for offset in [0, 1, 7, 13, 14] {
      let place = id.index(id.startIndex, offsetBy: offset)
      let (before, digit, after) = (id[..<place], id[place], id[id.index(after: place)...])
      let other = digit == "9" ? "0" : "9"
      var names = [
        "\(before)\(other)\(after)", "\(before)\(after)", "\(before)\(other)\(id[place...])",
      ]
      if let next = after.first, next != digit {
        names.append("\(before)\(next)\(digit)\(after.dropFirst())")
      }
      for name in names { #expect(try similar(name) == ["transaction \(id)"], "\(name)") }
    }
    #expect(try similar("350001178386599") == [])
    #expect(try similar("700000000000002") == ["web order line item 700000000000001"])
    #expect(try similar("dlv-2026-71") == ["delivery dlv-2026-17"])
    #expect(try similar("reader-1071") == ["account reader-1017"])
    #expect(try similar("com.example.book.emam") == ["product com.example.book.emma"])
    #expect(try similar("com.example.bok.ema") == ["product com.example.book.emma"])
    #expect(try similar("com.exmple.bok.ema") == [])
    #expect(try similar("content1") == ["server content-1"])
    #expect(try similar("\(long.dropLast())u") == ["product \(long)"])
    // A short name is similar to many others.
    #expect(try similar("mop") == [])
    #expect(try similar(String(repeating: "é", count: 250)) == [])
  }

  @Test("errors, servers, regions, products and files that contain the name are suggested")
  func kinds() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook.emma\nfull.set")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book.emma  | 2026-11-18 10:00
      2              | book.emma  | 2026-11-18 10:00
      5              | book.emma  | 2026-11-18 10:00
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | status    | server  | region     | error
      1              | book.emma  | 2026-11-18 10:05 | failed    | Full-eu | fullwood   | Disk 7 full
      2              | book.emma  | 2026-11-18 10:05 | delivered | us-2    | us-east-12 |
      3              | book.emma  | 2026-11-18 10:05 | failed    | us-2    | us-east-12 | queue full
      4              | book.emma  | 2026-11-18 10:05 | failed    | us-2    | us-east-12 | E10017
      5              | book.emma  | 2026-11-18 10:05 | delivered | us-2    | Sat        |
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
    #expect(try similar("disk 7") == ["error Disk # full"])
    #expect(try similar("disk #") == ["error Disk # full"])
    #expect(try similar("e1001") == ["error E10017"])
    #expect(try similar("east-12") == ["region us-east-12"])
    #expect(try similar("eliveries/") == ["file deliveries/3.csv"])
    #expect(try similar("ful") == [])
    #expect(try similar("sat") == ["region Sat"])
    // A suggested error can be explained.
    let error = try Inquiry(about: "Disk # full", database: night.database.connectionString)
    #expect(error.explanation.overview?.kind == .error)
  }
}

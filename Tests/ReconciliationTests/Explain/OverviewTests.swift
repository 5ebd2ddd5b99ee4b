import Explain
import ReconciliationTestSupport
import Testing

@Suite("Explaining a product, a server or an error text")
struct OverviewTests {
  /// Server `eu` fails with one error in an hour in which `us` delivers; the book `1` is refunded and
  /// delivered again.
  static func night() throws -> TestNight { try TestNight(copyOf: first.get()) }

  /// The night that is copied; no test connects to its database.
  nonisolated(unsafe) private static let first: Result<TestNight, any Error> = Result {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook\nfilm\nus")
    var sales = "transaction_id | product_id | purchased_at | account_id"
    var log =
      "delivery_id | transaction_id | product_id | occurred_at | status | server | error"
    for number in 1...20 {
      let isFailed = number <= 6
      sales += "\n\(number) | \(number % 2 == 0 ? "book" : "film") | 2026-11-10 10:00 | a-\(number)"
      log +=
        "\nd-\(number) | \(number) | \(number % 2 == 0 ? "book" : "film") | 2026-11-10 11:\(10 + number) | "
        + (isFailed ? "failed | eu | disk \(number) full" : "delivered | us | ")
    }
    try night.transactions(sales)
    try night.put(
      """
      delivery_id,transaction_id,product_id,status,occurred_at
      d-100,99,film,failed,2026-11-10T12:00:00Z
      d-101,99,film,strange,2026-11-10T12:00:00Z

      """, at: "deliveries/extra.csv")
    try night.deliveries(log)
    try night.run(asOf: "2026-11-20 03:00")
    return night.removedAtExit()
  }

  private static func explain(
    _ name: String, as kind: Explanation.NameKind? = nil, in night: TestNight
  ) throws -> Explanation {
    try Inquiry(about: name, as: kind, database: night.database.connectionString).explanation
  }

  @Test("uncertain deliveries of a product are counted apart from missing ones")
  func uncertain() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency
      1              | book       | 2026-11-10 10:00 | 1.00  | USD
      2              | book       | 2026-11-10 10:00 | 1.00  | USD
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let sentence = try Self.explain("book", in: night).overview?.sentence
    #expect(
      sentence == """
        No delivery of book is missing. Of its deliveries that became due in the 14 days before as-of, 0 were made. \
        2 deliveries are uncertain: the log, or that of each server of the product, has nothing in some hours of \
        their time.
        """)
  }

  @Test("a delivery that was made before it is due did not become due yet")
  func madeBeforeDue() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook\nfilm")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-19 20:00
      2              | film       | 2026-11-19 20:00
      3              | film       | 2026-11-10 20:00
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at
      1              | book       | 2026-11-19 20:05
      2              | film       | 2026-11-19 20:05
      3              | film       | 2026-11-10 20:05
      """)
    try night.run(asOf: "2026-11-20 03:00")
    for (product, end) in [
      ("book", "No delivery of book is missing. None became due in the 14 days before as-of."),
      ("film", "Of its deliveries that became due in the 14 days before as-of, 1 was made."),
    ] {
      let sentence = try #require(try Self.explain(product, in: night).overview?.sentence)
      #expect(sentence.hasSuffix(end), "\(sentence)")
    }
  }

  @Test("a server: how many, since when, who, and what was healthy in the same hours")
  func server() throws {
    let night = try Self.night()
    let overview = try #require(try Self.explain("eu", in: night).overview)
    #expect(overview.kind == .server)
    #expect(
      overview.sentence == """
        6 deliveries are missing, with the latest attempt by eu from 2026-11-10T11:11:00Z to \
        2026-11-10T11:16:00Z, of 6 accounts. Of its deliveries that became due in the 14 days before as-of, 0 were made.
        """)
    let facts = overview.facts
    #expect(facts.first { $0.section == "where" }?.name == "error disk # full")
    #expect(facts.filter { $0.section == "who" }.map(\.name) == (1...6).map { "a-\($0)" })
    let healthy = try #require(facts.first { $0.section == "healthy" })
    #expect(healthy.name == "server us" && healthy.delivered == 14 && healthy.missing == 0)
    #expect(facts.filter { $0.section == "example" }.map(\.name) == ["1", "2", "3"])
    #expect(facts.contains { $0.section == "changed" && $0.at == "2026-11-10T11:00:00Z" })
  }

  @Test("an error text is found with other numbers, and without them")
  func error() throws {
    let night = try Self.night()
    for text in ["disk 4711 full", "disk # full"] {
      let overview = try #require(try Self.explain(text, in: night).overview)
      #expect(overview.kind == .error && overview.name == "disk # full")
      #expect(overview.sentence.hasPrefix("6 deliveries are missing, with the error “disk # full”"))
      #expect(overview.facts.first { $0.section == "where" }?.name == "server eu")
    }
  }

  @Test("attempts for deliveries that are not due, were made or failed elsewhere are counted")
  func attempts() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | environment
      1              | book       | 2026-11-10 10:00 | Production
      2              | book       | 2026-11-19 20:00 | Production
      3              | book       | 2026-11-19 20:00 | Production
      4              | book       | 2026-11-10 10:00 | Production
      5              | book       | 2026-11-10 10:00 | Sandbox
      5              | book       | 2026-11-21 10:00 | Production
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | status    | occurred_at      | device_id | server | error
      a           | 1              | book       | delivered | 2026-11-10 10:05 | phone     | us     |
      b           | 1              | book       | failed    | 2026-11-10 10:06 | tablet    | eu     | no route 7
      c           | 2              | book       | failed    | 2026-11-19 21:00 |           | eu     | no route 8
      d           | 3              | book       | pending   | 2026-11-19 21:00 |           | eu     | timeout
      e           | 4              | book       | failed    | 2026-11-10 11:00 |           | beta   | disk full
      f           | 4              | book       | pending   | 2026-11-10 12:00 |           | gamma  |
      g           | 5              | book       | failed    | 2026-11-19 21:00 |           | eu     | no route 9
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let error = try #require(try Self.explain("no route 9", in: night).overview)
    #expect(error.kind == .error && error.name == "no route #")
    #expect(
      error.sentence == """
        No delivery whose latest attempt has the error “no route #” is missing. 1 delivery that became due in the \
        14 days before as-of was made although an attempt had this error. 2 other attempts failed or did not end \
        in the 14 days before as-of, for 2 transactions.
        """)
    let found = error.facts.filter { $0.section == "finding" }
    #expect(found.count == 1)
    #expect(found.first?.words?.hasPrefix("warning unfinished_delivery 1 tablet, since") == true)
    #expect(error.facts.filter { $0.section == "attempt" }.map(\.name) == ["2", "1"])
    let server = try #require(try Self.explain("eu", in: night).overview)
    #expect(
      server.sentence.hasSuffix("for 3 transactions."), "\(server.sentence)")
    // The missing delivery counts for the server of its latest attempt, and its first attempt here.
    for (name, words) in [
      ("disk full", "whose latest attempt has the error “disk full” is missing."),
      (
        "beta",
        "whose latest attempt was made by beta is missing. None became due in the 14 days before "
          + "as-of."
      ),
    ] {
      let overview = try #require(try Self.explain(name, in: night).overview)
      #expect(
        overview.sentence == """
          No delivery \(words) 1 other attempt failed or did not end in the 14 days before as-of, \
          for 1 transaction.
          """)
      #expect(overview.facts.filter { $0.section == "attempt" }.map(\.name) == ["4"])
    }
    let latest = try #require(try Self.explain("gamma", in: night).overview)
    #expect(latest.sentence.hasPrefix("1 delivery is missing, "), "\(latest.sentence)")
    #expect(!latest.facts.contains { $0.section == "attempt" })
    #expect(try Self.explain("no route", in: night).isEmpty)
    // A product of that name is explained first.
    try night.catalogue("product_id\nbook\ntimeout")
    try night.run(asOf: "2026-11-20 03:00")
    #expect(try Self.explain("timeout", in: night).overview?.kind == .product)
    #expect(try Self.explain("timeout", as: .error, in: night).overview?.kind == .error)
  }

  @Test("an attempt counts for the server in the record that applies, not in a corrected one")
  func corrected() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-19 20:00
      2              | book       | 2026-11-10 10:00
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | status    | occurred_at      | server | revision
      a           | 1              | book       | failed    | 2026-11-19 21:00 | eu     |
      a           | 1              | book       | failed    | 2026-11-19 21:00 | us     | 1
      b           | 2              | book       | delivered | 2026-11-10 10:05 | eu     |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    for (server, attempts) in [("us", ["1"]), ("eu", [])] {
      let overview = try #require(try Self.explain(server, in: night).overview)
      #expect(overview.facts.filter { $0.section == "attempt" }.map(\.name) == attempts)
      #expect(overview.sentence.contains("1 other attempt failed") == !attempts.isEmpty)
    }
  }

  @Test("an attempt that names a missing delivery by its line item or original counts once")
  func countedOnce() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue(
      "product_id | type | delivery_per\nweekly | auto_renewable | period\nbook | non_consumable |")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | expires_at       | web_order_line_item_id
      1              | weekly     | 2026-11-10 10:00 | 2026-11-17 10:00 | 91
      2              | book       | 2026-11-10 10:00 |                  |
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | original_transaction_id | web_order_line_item_id | product_id | status | occurred_at      | server | error
      a           | 501            |                         | 91                     | weekly     | failed | 2026-11-10 10:05 | eu     | no route
      b           | 502            | 2                       |                        | book       | failed | 2026-11-10 10:05 | eu     | no route
      """)
    try night.run(asOf: "2026-11-20 03:00")
    for name in ["eu", "no route"] {
      let overview = try #require(try Self.explain(name, in: night).overview)
      #expect(overview.sentence.hasPrefix("2 deliveries are missing, "), "\(overview.sentence)")
      #expect(!overview.facts.contains { $0.section == "attempt" }, "\(overview.facts)")
    }
  }

  @Test("the oldest missing purchases are those that were bought first, not attempted first")
  func oldest() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook\nmap")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-10 10:00
      81             | map        | 2026-11-10 10:00
      82             | map        | 2026-11-12 10:00
      83             | map        | 2026-11-13 10:00
      84             | map        | 2026-11-14 10:00
      """)
    // The book was delivered several times, so the log has those times.
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | status    | occurred_at      | server
      a           | 1              | book       | delivered | 2026-11-10 11:05 | us
      b           | 1              | book       | delivered | 2026-11-12 11:05 | us
      c           | 1              | book       | delivered | 2026-11-13 11:05 | us
      d           | 1              | book       | delivered | 2026-11-14 11:05 | us
      e           | 81             | map        | failed    | 2026-11-19 11:05 | eu
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let overview = try #require(try Self.explain("map", in: night).overview)
    let oldest = overview.facts.filter { $0.section == "example" }
    #expect(oldest.map(\.name) == ["81", "82", "83"])
    #expect(oldest.first?.at == "2026-11-10T10:00:00Z")
    // The sentence is about the latest attempt, or else the purchase.
    #expect(overview.sentence.contains(" from 2026-11-12T10:00:00Z to 2026-11-19T11:05:00Z"))
  }

  @Test("a product: what is missing, its catalogue facts by file, open findings")
  func product() throws {
    let night = try Self.night()
    let overview = try #require(try Self.explain("book", in: night).overview)
    #expect(overview.kind == .product)
    #expect(
      overview.sentence.hasPrefix(
        """
        3 deliveries of book are missing, of 3 accounts. Their latest attempts, or their purchases if nothing was \
        attempted, are from 2026-11-10T11:12:00Z to 2026-11-10T11:16:00Z.
        """))
    let listed = try #require(overview.facts.first { $0.section == "changed" })
    #expect(listed.name == "listed" && listed.file?.hasPrefix("catalog/") == true)
    try night.transactions(
      "transaction_id | product_id | purchased_at\n77 | bok | 2026-11-12 10:00")
    try night.run(asOf: "2026-11-21 03:00")
    let unknown = try #require(try Self.explain("bok", in: night).overview)
    #expect(
      unknown.facts.first { $0.section == "finding" }?.words?
        .hasPrefix("error invalid_product_id bok unknown") == true)
    #expect(unknown.sentence.hasPrefix("Found: error invalid_product_id bok unknown, since"))
    #expect(unknown.sentence.hasSuffix(" The closest identifier of the catalogue is book."))
  }

  @Test("a product that only payment queues of apps name is known")
  func claimed() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.clientLog(
      """
      transaction_id | product_id | state     | transaction_date
      8              | moon       | purchased | 2026-11-10 10:00:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let overview = try #require(try Self.explain("moon", in: night).overview)
    #expect(overview.kind == .product)
    #expect(
      overview.sentence.hasPrefix(
        "No delivery of moon is missing. None became due in the 14 days before as-of."),
      "\(overview.sentence)")
  }

  @Test("a product has the rejected records that contain it, entries of catalogues first")
  func rejected() throws {
    let night = try Self.night()
    try night.put(
      #"{"version":2,"products":[{"product_id":"map"},{"product_id":"film","type":"reel"}]}"#,
      at: "catalog/films.json")
    try night.run(asOf: "2026-11-21 03:00")
    let film = try Self.explain("film", in: night)
    #expect(film.overview?.kind == .product && film.rejectionCount == 2)
    #expect(film.rejections.map(\.kind) == ["catalogue", "delivery"])
    #expect(film.rejections.map(\.line) == [2, 3])
    #expect(try Self.explain("book", in: night).rejections.isEmpty)
  }

  @Test("one of a kind is told in the singular, and an error keeps no full stop")
  func singular() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      1              | book       | 2026-11-10 10:00 | anna
      2              | book       | 2026-11-10 10:00 | ben
      3              | book       | 2026-11-10 10:00 |
      """)
    try night.deliveries(
      """
      transaction_id | product_id | status    | occurred_at      | server | error
      1              | book       | failed    | 2026-11-10 10:05 | eu     | disk is full.
      2              | book       | delivered | 2026-11-10 10:05 | us     |
      3              | book       | failed    | 2026-11-10 10:05 | asia   |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    #expect(
      try Self.explain("eu", in: night).overview?.sentence
        == """
        1 delivery is missing, with the latest attempt by eu on 2026-11-10T10:05:00Z, of 1 account. \
        Of its deliveries that became due in the 14 days before as-of, 0 were made.
        """)
    // No account is known.
    #expect(
      try Self.explain("asia", in: night).overview?.sentence.hasPrefix(
        "1 delivery is missing, with the latest attempt by asia on 2026-11-10T10:05:00Z. Of ")
        == true)
    #expect(
      try Self.explain("us", in: night).overview?.sentence.hasSuffix(
        ". Of its deliveries that became due in the 14 days before as-of, 1 was made.") == true)
    let thing = try #require(try Self.explain("1", in: night).things.first)
    #expect(thing.sentence.hasSuffix(" failed on 2026-11-10T10:05:00Z: disk is full."))
    let file = try #require(thing.timeline.first { $0.event == "bought" }?.file)
    #expect(
      try Self.explain(file, in: night).overview?.sentence.contains(
        ": 3 documents, 3 pieces of evidence that came first here, dated ") == true)
  }

  @Test("a list that is cut says how many entries it leaves out")
  func cut() throws {
    let night = try Self.night()
    let header = "delivery_id,transaction_id,product_id,status,occurred_at\n"
    let bad = (1...25).map { "b-\($0),4711,film,strange,2026-11-10T12:00:00Z\n" }.joined()
    try night.put(header + bad, at: "deliveries/bad.csv")
    try night.run(asOf: "2026-11-20 03:00")
    let file = try #require(try Self.explain("deliveries/bad.csv", in: night).overview)
    let rejected = file.facts.filter { $0.section == "rejected" }
    #expect(rejected.count == 6)
    #expect(file.leftOut.map(\.section) == ["rejected"] && file.leftOut.map(\.facts) == [19])
    let named = try Self.explain("4711", in: night)
    #expect(named.rejections.count == 20 && named.rejectionCount == 25)
  }

  @Test("a name of several kinds is explained as the first, and the others are named")
  func ambiguous() throws {
    let night = try Self.night()
    // A product and a server.
    let first = try Self.explain("us", in: night)
    #expect(first.overview?.kind == .product && first.alsoKnownAs == [.server])
    let second = try Self.explain("us", as: .server, in: night)
    #expect(second.overview?.kind == .server && second.alsoKnownAs == [.product])
    #expect(try Self.explain("us", as: .file, in: night).isEmpty)
    #expect(try Self.explain("nothing", in: night).isEmpty)
    // A transaction of this number is explained as before.
    #expect(try Self.explain("1", in: night).things.map(\.kind) == ["purchase"])
  }
}

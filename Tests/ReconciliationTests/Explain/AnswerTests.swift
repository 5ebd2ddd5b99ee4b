import Configuration
import Explain
import ReconciliationTestSupport
import Testing

@Suite("First answers of an explanation") struct AnswerTests {
  private static func things(_ name: String, in night: TestNight) throws -> [Explanation.Thing] {
    try Inquiry(about: name, database: night.database.connectionString).explanation.things
  }

  private static func sentence(_ name: String, in night: TestNight) throws -> String {
    try #require(try things(name, in: night).first?.sentence)
  }

  /// The reasons for the answers to Apple about some transactions.
  private static func reasons(_ names: [String], in night: TestNight) throws -> [String] {
    try DeliveryStatusInquiry(about: names, database: night.database.connectionString).answers
      .map(\.because)
  }

  @Test("the first delivery in time is named, or else one before the purchase, or else a late one")
  func served() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook\nfilm")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      1              | book       | 2026-11-10 10:00 | anna
      2              | book       | 2026-11-10 10:00 | anna
      3              | book       | 2026-11-10 10:00 | anna
      4              | book       | 2026-11-10 10:00 | anna
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | account_id
      A1          | 1              | book       | 2026-11-10 09:59 | ben
      A3          | 1              | book       | 2026-11-10 10:00 | carl
      A2          | 1              | book       | 2026-11-10 10:01 | carl
      B2          | 2              | book       | 2026-11-10 09:59 | anna
      B1          | 2              | book       | 2026-11-11 10:01 | anna
      C2          | 3              | book       | 2026-11-11 10:01 | anna
      C1          | 3              | book       | 2026-11-11 10:02 | anna
      E1          | 4              | film       | 2026-11-10 09:59 | anna
      E2          | 4              | film       | 2026-11-10 10:01 | anna
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let account = ", to account carl, not anna, which bought it"
    for (name, words) in [
      ("1", "delivered on 2026-11-10T10:00:00Z (delivery A3)\(account)."),
      ("2", "delivered on 2026-11-10T09:59:00Z (delivery B2), before the purchase."),
      (
        "3",
        "delivered on 2026-11-11T10:01:00Z (delivery C2), late: it was due on 2026-11-11T10:00:00Z."
      ),
    ] {
      let sentence = try Self.sentence(name, in: night)
      #expect(sentence.hasPrefix("Bought on 2026-11-10T10:00:00Z and \(words)"), "\(sentence)")
    }
    #expect(
      try Self.reasons(["1", "2", "3", "4"], in: night) == [
        "it was delivered (delivery A3)\(account)", "it was delivered (delivery B2)",
        "it was delivered (delivery C2)", "another product was delivered (delivery E2)",
      ])
  }

  @Test("in a chain, a delivery is early or late for the purchase that represents the chain")
  func servedChain() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | type\nmonth | auto_renewable")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | expires_at       | web_order_line_item_id | cancelled_at
      10             | 10                      | month      | 2026-11-02 10:00 | 2026-11-09 10:00 | 91                     | 2026-11-05 12:00
      11             | 10                      | month      | 2026-11-09 10:00 | 2026-11-16 10:00 | 92                     |
      20             | 20                      | month      | 2026-11-02 10:00 | 2026-11-09 10:00 | 93                     | 2026-11-05 12:00
      21             | 20                      | month      | 2026-11-09 10:00 | 2026-11-16 10:00 | 94                     |
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at
      A1          | 10             | month      | 2026-11-05 10:00
      B1          | 20             | month      | 2026-11-02 10:05
      B2          | 21             | month      | 2026-11-09 10:05
      """)
    try night.run(asOf: "2026-11-20 03:00")
    for (name, words) in [
      // Its own due date had passed, but not that of the purchase that is owed the delivery.
      ("10", "Bought on 2026-11-02T10:00:00Z and delivered on 2026-11-05T10:00:00Z (delivery A1)."),
      ("20", "Bought on 2026-11-09T10:00:00Z and delivered on 2026-11-09T10:05:00Z (delivery B2)."),
    ] {
      let sentence = try Self.sentence(name, in: night)
      #expect(sentence.hasPrefix("\(words) 1 of 2 periods was refunded"), "\(sentence)")
    }
    #expect(
      try Self.reasons(["10", "20", "21"], in: night) == [
        "it was delivered (delivery A1)", "it was delivered (delivery B2)",
        "it was delivered (delivery B2)",
      ])
  }

  @Test("an attempt of another product that failed says so, and counts once")
  func failedWithAnother() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook\nfilm")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n1 | book | 2026-11-10 10:00")
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status | error
      D1          | 1              | film       | 2026-11-10 10:05 | failed | E17 no rights
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let sentence = try Self.sentence("1", in: night)
    #expect(
      sentence.contains(
        "(delivery D1) failed on 2026-11-10T10:05:00Z: E17 no rights; it attempted film, not book."),
      "\(sentence)")
    let error =
      try Inquiry(about: "E17 no rights", database: night.database.connectionString)
      .explanation.overview?.sentence ?? ""
    #expect(error.contains("1 delivery is missing") && !error.contains("other attempt"), "\(error)")
  }

  @Test("an attempt that failed last is named beside the delivery of another product")
  func wrongThenFailed() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook\nfilm")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | cancelled_at
      1              | book       | 2026-11-10 10:00 |
      2              | book       | 2026-11-10 10:00 |
      3              | book       | 2026-11-10 10:00 | 2026-11-11 10:00
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status    | server | error
      D1          | 1              | film       | 2026-11-10 10:05 | delivered |        |
      D2          | 1              | book       | 2026-11-10 10:06 | failed    | eu-1   | E17 no rights
      D3          | 2              | book       | 2026-11-10 10:05 | failed    |        | E17 no rights
      D4          | 2              | film       | 2026-11-10 10:06 | delivered |        |
      D5          | 3              | film       | 2026-11-10 10:05 | delivered |        |
      D6          | 3              | book       | 2026-11-10 10:06 | pending   |        |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let first = try Self.sentence("1", in: night)
    #expect(
      first.hasPrefix(
        """
        Bought on 2026-11-10T10:00:00Z and never delivered: one of 2 attempts (delivery D1) delivered \
        film instead of book. The last attempt (delivery D2, server eu-1) failed on \
        2026-11-10T10:06:00Z: E17 no rights.
        """), "\(first)")
    let second = try Self.sentence("2", in: night)
    #expect(second.contains("(delivery D4) delivered film instead of book."), "\(second)")
    #expect(!second.contains("The last attempt"), "\(second)")
    let refunded = try Self.sentence("3", in: night)
    #expect(
      refunded.contains(
        """
        : nothing is owed any more. One of 2 attempts (delivery D5) delivered film instead of book on \
        2026-11-10T10:05:00Z. The last attempt (delivery D6) began on 2026-11-10T10:06:00Z and has not \
        ended.
        """), "\(refunded)")
  }

  @Test("the attempts are named if nothing is owed, with the product that was delivered")
  func attemptsWithoutObligation() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | delivery\nbook |\nfilm |\nfont | built_in")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at
      1              |                         | boko       | 2026-11-10 10:00
      3              | 2                       | book       | 2026-11-10 10:00
      4              |                         | font       | 2026-11-10 10:00
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status    | error
      D1          | 1              | book       | 2026-11-10 10:05 | delivered |
      D3          | 3              | book       | 2026-11-10 10:05 | failed    | E17 no rights
      D4          | 4              | film       | 2026-11-10 10:05 | delivered |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    for (name, words) in [
      (
        "1",
        "so nothing is owed for it. The only attempt (delivery D1) delivered book instead of boko on "
          + "2026-11-10T10:05:00Z."
      ),
      (
        "3",
        "so nothing is owed. The only attempt (delivery D3) failed on 2026-11-10T10:05:00Z: E17 no rights."
      ),
      (
        "4",
        "nothing is owed. The only attempt (delivery D4) delivered film instead of font on "
          + "2026-11-10T10:05:00Z."
      ),
    ] {
      let sentence = try Self.sentence(name, in: night)
      #expect(sentence.contains(words), "\(sentence)")
    }
  }

  @Test("a name that begins or ends with a blank is in quotation marks")
  func blank() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      1              | book       | 2026-11-10 10:00 | anna
      2              | book       | 2026-11-10 10:00 |
      """)
    try night.put(
      """
      delivery_id,transaction_id,product_id,status,occurred_at,account_id
      D1,1,"book",delivered,2026-11-10T10:05:00Z,"anna "
      D2,2,"book ",delivered,2026-11-10T10:05:00Z,

      """, at: "deliveries/blanks.csv")
    try night.run(asOf: "2026-11-20 03:00")
    let account = try Self.sentence("1", in: night)
    #expect(account.contains(", to account “anna ”, not anna, which bought it."), "\(account)")
    let product = try Self.sentence("2", in: night)
    #expect(product.contains(" delivered “book ” instead of book."), "\(product)")
  }

  @Test("what is dated after as-of is named")
  func later() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      1              | book       | 2026-11-20 10:00 | anna
      """)
    try night.deliveries(
      "delivery_id | transaction_id | product_id | occurred_at\nD9 | 9 | book | 2026-11-20 10:05")
    try night.run(asOf: "2026-11-20 03:00")
    #expect(
      try Self.sentence("anna", in: night)
        == "Transaction 1, book: bought on 2026-11-20T10:00:00Z, after as-of: not considered yet.")
    #expect(
      try Self.sentence("9", in: night)
        == "Delivery D9 is dated after as-of: not considered yet.")
  }
}

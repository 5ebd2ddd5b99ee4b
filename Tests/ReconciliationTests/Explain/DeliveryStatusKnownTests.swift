import Explain
import ReconciliationTestSupport
import Testing

@Suite("What delivery-status says about transactions without evidence, and about possible matches")
struct DeliveryStatusKnownTests {
  private static func ask(
    _ name: String, in night: TestNight
  ) throws -> DeliveryStatusInquiry.Answer {
    let answers = try DeliveryStatusInquiry(
      about: [name], database: night.database.connectionString
    ).answers
    try #require(answers.count == 1)
    return answers[0]
  }

  @Test(
    "the words are those of explain",
    arguments: [
      (
        "1107",
        "no attempt was made, but the log has other deliveries of that time; best possible match: "
          + "delivery D1107, the right product to the same account, but with transaction 1170, which "
          + "no evidence contains"
      ),
      (
        "1109",
        "the log contains no delivery between purchase and due date, so it is uncertain whether it was "
          + "delivered"
      ),
      (
        "1122",
        "an app saw transaction 1122, book, on 2026-11-15T10:00:00Z, and no receipt contains it"
      ),
      (
        "1160", "only restores of 1160 are known, never the purchase itself: nothing is owed"
      ),
      (
        "9119",
        "no evidence contains it, but delivery D1119 of 2026-11-15T10:05:00Z names it (delivered): load "
          + "its receipt"
      ),
    ])
  func words(_ name: String, _ because: String) throws {
    let answer = try Self.ask(name, in: PlantedCauses.night.get())
    #expect(answer.because == because)
    #expect(answer.isKnown)
    #expect(answer.productId != nil)
    #expect((answer.consumptionRequest != nil) == (name == "1107"))
    #expect(answer.deliveries.map(\.deliveryId) == (name == "9119" ? ["D1119"] : []))
  }

  @Test("an original that only restores name, and a restore that only an app reports, are answered")
  func restores() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook\nmap")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at
      2              | 1                       | book       | 2026-11-10 10:00
      5              |                         | map        | 2026-11-10 10:00
      """)
    try night.deliver("2", at: "2026-11-10 10:05")
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at
      D5          | 5              | map        | 2026-11-10 10:05
      """)
    try night.clientLog(
      """
      product_id | state    | transaction_date | transaction_id | original_transaction_id | device_id | app_version
      map        | restored | 2026-11-15 10:00 | 6              | 5                       | phone     | 5.0
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let original = try Self.ask("1", in: night)
    #expect(original.because == "only restores of it are known: it was delivered (delivery D-2)")
    #expect(original.consumptionRequest?.deliveryStatus == "DELIVERED")
    #expect(original.deliveries.map(\.deliveryId) == ["D-2"])
    let restore = try Self.ask("6", in: night)
    #expect(
      restore.because
        == "only an app reports it, as a restore of 5: it was delivered (delivery D5)")
    #expect(restore.consumptionRequest?.deliveryStatus == "DELIVERED")
  }

  @Test("an original of a subscription whose first purchase is unknown names a renewal")
  func renewals() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | type\nmonthly | auto_renewable")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id
      2              | 1                       | monthly    | 2026-11-10 10:00 | 92
      3              | 1                       | monthly    | 2026-11-12 10:00 | 93
      """)
    try night.deliver("2", at: "2026-11-10 10:05")
    try night.run(asOf: "2026-11-20 03:00")
    let answer = try Self.ask("1", in: night)
    #expect(
      answer.because == """
        no evidence contains it; it is known as the original of other transactions, such as 2 of \
        2026-11-10T10:00:00Z: load its receipt
        """)
    #expect(answer.consumptionRequest == nil && answer.isKnown)
  }

  @Test("a transaction that only a matched delivery names has the answer of the delivery's family")
  func matched() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | type\nbook |\nmonthly | auto_renewable")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id
      495            |                         | book       | 2026-11-10 10:00 |
      498            | 495                     | book       | 2026-11-21 10:00 |
      600            |                         | monthly    | 2026-11-10 10:00 | 96
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | original_transaction_id | web_order_line_item_id | status
      A-1         | 497            | book       | 2026-11-10 10:05 | 495                     |                        | delivered
      A-2         | 601            | monthly    | 2026-11-10 10:05 |                         | 96                     | failed
      A-3         | 498            | book       | 2026-11-10 10:06 | 495                     |                        | delivered
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let delivered = try Self.ask("497", in: night)
    #expect(
      delivered.because == """
        no evidence contains it, but delivery A-1 names it and belongs to transaction 495: it was \
        delivered (delivery A-1)
        """)
    #expect(delivered.consumptionRequest?.deliveryStatus == "DELIVERED")
    #expect(delivered.productId == "book")
    #expect(delivered.deliveries.map(\.deliveryId) == ["A-1", "A-3"])
    let later = try Self.ask("498", in: night)
    #expect(later.because.hasSuffix(", after as-of: it is not compared yet"), "\(later.because)")
    #expect(later.consumptionRequest == nil)
    let failed = try Self.ask("601", in: night)
    #expect(
      failed.because.hasPrefix(
        "no evidence contains it, but delivery A-2 names it and belongs to transaction 600: "))
    #expect(failed.consumptionRequest?.deliveryStatus == "UNDELIVERED_OTHER")
    #expect(failed.deliveries.map(\.deliveryId) == ["A-2"])
    func explained(_ name: String) throws -> [[String?]] {
      try Inquiry(about: name, database: night.database.connectionString).explanation.things
        .map { [$0.kind, $0.namedAs, $0.laterSentence] }
    }
    #expect(
      try explained("497") == [
        [
          "purchase", "transaction of a delivery",
          "No evidence contains 497, but delivery A-1 names it and belongs to transaction 495.",
        ]
      ])
    #expect(
      try explained("498") == [
        ["transaction", "transaction", nil], ["purchase", "transaction of a delivery", nil],
      ])
  }

  @Test("transactions whose ids differ only in the composition of a letter have one answer each")
  func compositions() throws {
    let night = try TestNight()
    let ids = ["tx-caf\u{e9}", "tx-cafe\u{301}"]
    try night.put(
      "delivery_id,transaction_id,product_id,status,occurred_at\n"
        + "u1,\(ids[0]),book,delivered,2026-11-10T10:00:00Z\n"
        + "u2,\(ids[1]),book,failed,2026-11-10T10:00:00Z\n", at: "deliveries/a.csv")
    try night.run(asOf: "2026-11-20 03:00")
    let answers = try DeliveryStatusInquiry(about: ids, database: night.database.connectionString)
      .answers
    #expect(answers.count == 2)
    for (answer, own) in zip(answers, ["u1", "u2"]) {
      #expect(answer.because.contains(own), "\(answer.because)")
    }
  }
}

import Configuration
import Explain
import ReconciliationTestSupport
import Testing

@Suite("Explaining a subscription with refunded periods")
struct RefundedPeriodTests {
  private static func explain(_ name: String, refunding refunds: [String: String]) throws
    -> Explanation
  {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | type\nweekly | auto_renewable")
    var sales =
      "transaction_id | original_transaction_id | product_id | purchased_at | web_order_line_item_id | "
      + "expires_at | cancelled_at"
    for (id, day, end) in [("1", "03", "10"), ("2", "10", "17"), ("3", "17", "24")] {
      sales +=
        "\n\(id) | 1 | weekly | 2026-11-\(day) 10:00 | 9\(id) | 2026-11-\(end) 10:00 | "
        + (refunds[id] ?? "")
    }
    try night.transactions(sales)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at
      first       | 1              | weekly     | 2026-11-03 10:05
      second      | 2              | weekly     | 2026-11-14 10:05
      """)
    try night.run(asOf: "2026-11-20 03:00")
    return try Inquiry(about: name, database: night.database.connectionString).explanation
  }

  @Test("the sentence counts the refunded periods, unless all of them are")
  func counted() throws {
    func sentence(_ refunds: [String: String]) throws -> String {
      try #require(try Self.explain("first", refunding: refunds).things.first?.sentence)
    }
    #expect(
      try sentence(["3": "2026-11-18 10:00"]).contains(
        " 1 of 3 periods was refunded (transaction 3 on 2026-11-18T10:00:00Z)."))
    #expect(
      try sentence(["1": "2026-11-15 10:00", "3": "2026-11-18 10:00"]).contains(
        " 2 of 3 periods were refunded (the latest: transaction 3 on 2026-11-18T10:00:00Z)."))
    let all = ["1": "2026-11-15 10:00", "2": "2026-11-16 10:00", "3": "2026-11-18 10:00"]
    #expect(try sentence(all).hasSuffix(" Refunded on 2026-11-18T10:00:00Z."))
    #expect(try !sentence([:]).contains("efunded"))
  }

  @Test("a subscription whose last known period has ended says so, with an event")
  func ended() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue(
      """
      product_id | type           | delivery_per
      weekly     | auto_renewable |
      monthly    | auto_renewable |
      daily      | auto_renewable | period
      """)
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | expires_at       | web_order_line_item_id
      1              |                         | weekly     | 2026-11-02 08:00 | 2026-11-09 08:00 | 91
      2              |                         | weekly     | 2026-11-13 03:00 | 2026-11-20 03:00 | 92
      3              |                         | weekly     | 2026-11-13 03:00 | 2026-11-20 03:01 | 93
      4              |                         | weekly     | 2026-11-02 08:00 | 2026-11-09 08:00 | 94
      5              | 4                       | monthly    | 2026-11-09 08:00 | 2026-12-09 08:00 | 95
      6              |                         | daily      | 2026-11-02 08:00 | 2026-11-03 08:00 | 96
      7              | 6                       | daily      | 2026-11-03 08:00 | 2026-11-04 08:00 | 97
      8              |                         | weekly     | 2026-11-02 08:00 | 2026-11-09 08:00 | 98
      9              | 8                       | weekly     | 2026-11-09 08:00 |                  | 99
      10             |                         | monthly    | 2026-10-09 08:00 | 2026-11-09 08:00 | 100
      11             | 10                      | weekly     | 2026-11-02 08:00 | 2026-11-09 08:00 | 101
      12             |                         | monthly    | 2026-11-02 08:00 | 2026-11-09 08:00 | 102
      13             | 12                      | weekly     | 2026-11-02 08:00 | 2026-11-09 08:00 | 103
      """)
    try night.run(asOf: "2026-11-20 03:00")
    func thing(_ name: String) throws -> Explanation.Thing {
      try #require(
        try Inquiry(about: name, database: night.database.connectionString)
          .explanation.things.first)
    }
    // 11 was bought later than 10 and ends with it; 13 has a higher ID than 12, and the same dates.
    for (name, end) in [
      ("1", "09T08"), ("2", "20T03"), ("6", "04T08"), ("7", "04T08"), ("11", "09T08"),
      ("13", "09T08"),
    ] {
      let end = "2026-11-\(end):00:00Z"
      let explained = try thing(name)
      let words = " The last period that evidence contains ended on \(end); no renewal is known."
      #expect(explained.sentence.contains(words), "\(explained.sentence)")
      let events = explained.timeline.filter { $0.event == "ended" }
      #expect(events.map(\.at) == [end] && events.map(\.words) == ["its last known period ends"])
    }
    for (name, product, later) in [
      ("4", "weekly", "monthly"), ("10", "monthly", "weekly"), ("12", "monthly", "weekly"),
    ] {
      let changed = try thing(name).sentence
      #expect(
        changed.contains(
          """
           The last period of \(product) that evidence contains ended on 2026-11-09T08:00:00Z; \
          a later one is of \(later).
          """), "\(changed)")
    }
    // The period goes on, or its end is unknown.
    for name in ["3", "5", "8"] {
      let explained = try thing(name)
      #expect(!explained.sentence.contains("period"), "\(explained.sentence)")
      #expect(!explained.timeline.contains { $0.event == "ended" }, "\(name)")
    }
    let refunded = try Self.explain("first", refunding: ["3": "2026-11-18 10:00"])
    let sentence = try #require(refunded.things.first?.sentence)
    #expect(
      sentence.hasSuffix(" The last period that was not refunded ended on 2026-11-17T10:00:00Z."),
      "\(sentence)")
  }

  @Test("the sentence about what is still owed after a refund names its purchase")
  func stillOwed() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | type\nsub | auto_renewable")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | expires_at       | web_order_line_item_id | cancelled_at
      100            | 100                     | sub        | 2026-11-11 10:00 | 2026-11-12 10:00 | 91                     | 2026-11-11 12:00
      101            | 100                     | sub        | 2026-11-12 10:00 | 2026-11-13 10:00 | 92                     |
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      E1          | 100            | sub        | 2026-11-11 10:05 | failed
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let inquiry = try Inquiry(about: "100", database: night.database.connectionString)
    let sentence = try #require(inquiry.explanation.things.first?.sentence)
    #expect(
      sentence.hasPrefix("Bought on 2026-11-12T10:00:00Z (transaction 101) and never delivered: "),
      "\(sentence)")
  }

  @Test("why no unfinished delivery is found is true of a refunded period and of no purchase")
  func unfinished() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | type\nsub | auto_renewable")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id | cancelled_at
      100            | 100                     | sub        | 2026-11-11 10:00 | 91                     |
      101            | 100                     | sub        | 2026-11-12 10:00 | 92                     | 2026-11-12 12:00
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      E1          | 100            | sub        | 2026-11-11 10:05 | delivered
      E2          | 101            | sub        | 2026-11-12 10:05 | failed
      E3          | 7              | sub        | 2026-11-12 10:05 | failed
      """)
    try night.run(asOf: "2026-11-20 03:00")
    func words(_ name: String) throws -> [String] {
      try Inquiry(about: name, database: night.database.connectionString).explanation.things
        .flatMap(\.verdicts).filter { $0.rule == "unfinished_delivery" }.map(\.words)
    }
    #expect(
      try words("100") == [
        "the latest attempt of each device was delivered, is in its grace period, or is for a "
          + "refunded purchase"
      ])
    #expect(try words("7") == ["its delivery belongs to no purchase"])
  }

  @Test("a delivery after a refund is told with the refund of its own period")
  func afterRefund() throws {
    let refunds = ["1": "2026-11-05 10:00", "2": "2026-11-12 10:00"]
    let sentence = try #require(
      try Self.explain("second", refunding: refunds).things.first?.sentence)
    #expect(
      sentence.hasPrefix("Delivered after the refund of 2026-11-12T10:00:00Z: "), "\(sentence)")
  }

  @Test("a reversed refund is shown as it was judged, also beside another refund that counts")
  func reversals() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.signed(
      """
      transaction_id | product_id | purchased_at     | revoked_at       | signed_at        | notification
      1              | book       | 2026-11-01 10:00 | 2026-11-03 10:00 | 2026-11-06 10:00 | REFUND_REVERSED
      1              | book       | 2026-11-01 10:00 | 2026-11-03 10:00 | 2026-11-06 10:00 |
      2              | book       | 2026-11-01 10:00 | 2026-11-03 10:00 | 2026-11-03 11:00 |
      2              | book       | 2026-11-01 10:00 |                  | 2026-11-06 10:00 |
      2              | book       | 2026-11-01 10:00 | 2026-11-08 10:00 | 2026-11-08 11:00 |
      3              | book       | 2026-11-01 10:00 | 2026-11-03 10:00 | 2026-11-03 11:00 |
      3              | book       | 2026-11-01 10:00 |                  | 2026-11-06 10:00 |
      4              | book       | 2026-11-01 10:00 | 2026-11-03 10:00 | 2026-11-06 10:00 |
      4              | book       | 2026-11-01 10:00 |                  | 2026-11-03 11:00 |
      5              | book       | 2026-11-01 10:00 |                  | 2026-11-02 10:00 |
      5              | book       | 2026-11-01 10:00 |                  | 2026-11-06 10:00 |
      """)
    // Unsigned evidence, which does not count if Apple's signature is asked for.
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | cancelled_at     | told_at
      3              | book       | 2026-11-01 10:00 | 2026-11-03 10:00 | 2026-11-09 11:00
      5              | book       | 2026-11-01 10:00 | 2026-11-03 10:00 |
      """)
    func reversals() throws -> [[String]] {
      try ["1", "2", "3", "4", "5"].map { name in
        try Inquiry(about: name, database: night.database.connectionString).explanation.things
          .flatMap(\.timeline).filter { $0.event == "reversed" }.map { "\($0.at) \($0.words)" }
      }
    }
    func event(_ name: String) -> String {
      "2026-11-06T10:00:00Z transaction \(name): Apple reversed the refund of 2026-11-03T10:00:00Z"
    }
    try night.run(asOf: "2026-11-20 03:00")
    #expect(try reversals() == [[event("1")], [event("2")], [], [], [event("5")]])
    night.settings.trust = .signed
    try night.run(asOf: "2026-11-21 03:00")
    #expect(try reversals() == [[event("1")], [event("2")], [event("3")], [], []])
  }
}

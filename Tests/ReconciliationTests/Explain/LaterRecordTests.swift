import Explain
import ReconciliationTestSupport
import Testing

@Suite("Explaining records that are dated after as-of")
struct LaterRecordTests {
  private static func night() throws -> TestNight { try TestNight(copyOf: first.get()) }

  /// The night that is copied; no test connects to its database.
  nonisolated(unsafe) private static let first: Result<TestNight, any Error> = Result {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id | device_id
      1              | book       | 2026-11-10 10:00 | anna       |
      2              | book       | 2026-11-21 10:00 | ben        | phone
      3              | book       | 2026-11-10 10:00 | carl       |
      4              | book       | 2026-11-21 10:00 |            |
      5              | book       | 2026-11-10 10:00 | ed         |
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | account_id
      early       | 3              | book       | 2026-11-10 10:05 | carl
      late        | 1              | book       | 2026-11-21 10:05 | anna
      later       | 2              | book       | 2026-11-21 10:05 | ben
      lone        | 9              | book       | 2026-11-21 10:05 | dora
      old         | 4              | book       | 2026-11-15 10:05 |
      soon        | 4              | book       | 2026-11-20 02:05 |
      other       | 4              | book       | 2026-11-10 10:05 | ed
      """)
    try night.run(asOf: "2026-11-20 03:00")
    return night.removedAtExit()
  }

  @Test("they are known by their transaction, account and device, and are not considered")
  func known() throws {
    let night = try Self.night()
    defer { withExtendedLifetime(night) {} }
    let database = night.database.connectionString
    func explain(_ name: String, as kind: Explanation.NameKind? = nil) throws -> [[String]] {
      try Inquiry(about: name, as: kind, database: database).explanation.things.map {
        [$0.kind, $0.namedAs, $0.cause]
      }
    }
    #expect(try explain("ben") == [["transaction", "account", "after_as_of"]])
    #expect(try explain("later") == [["transaction", "delivery", "after_as_of"]])
    #expect(try explain("phone", as: .device) == [["transaction", "device", "after_as_of"]])
    #expect(try explain("dora") == [["later delivery", "account", "after_as_of"]])
    #expect(try explain("9") == [["later delivery", "transaction", "after_as_of"]])
    #expect(try explain("lone") == [["later delivery", "delivery", "after_as_of"]])
  }

  @Test("a delivery before as-of names the purchase after as-of, also in its grace period")
  func beforePurchase() throws {
    let night = try Self.night()
    defer { withExtendedLifetime(night) {} }
    for (name, cause, at) in [
      ("old", "unknown_transaction", "2026-11-15T10:05:00Z"),
      ("soon", "within_grace", "2026-11-20T02:05:00Z"),
    ] {
      let thing = try #require(
        try Inquiry(about: name, database: night.database.connectionString)
          .explanation.things.first)
      #expect(thing.cause == cause)
      #expect(
        thing.sentence.hasPrefix(
          """
          Delivery \(name): book delivered on \(at) for transaction 4, which was bought on \
          2026-11-21T10:00:00Z, after as-of, and is not considered yet.
          """), "\(thing.sentence)")
    }
  }

  @Test("a possible match whose transaction was bought after as-of says so")
  func possibleMatch() throws {
    let night = try Self.night()
    defer { withExtendedLifetime(night) {} }
    let thing = try #require(
      try Inquiry(about: "5", database: night.database.connectionString).explanation.things.first)
    #expect(
      thing.sentence == """
        Bought on 2026-11-10T10:00:00Z and never delivered: no attempt was made. Best possible \
        match: the right product to the same account, but with transaction 4, which was bought on \
        2026-11-21T10:00:00Z, after as-of, and is not considered yet.
        """)
  }

  @Test("a purchase shows its later deliveries, and a missing delivery counts them")
  func ofPurchase() throws {
    let night = try Self.night()
    defer { withExtendedLifetime(night) {} }
    let database = night.database.connectionString
    for name in ["1", "anna", "late"] {
      let thing = try #require(
        try Inquiry(about: name, database: database).explanation.things.first)
      #expect(
        thing.sentence == """
          Bought on 2026-11-10T10:00:00Z and never delivered: no attempt was made. 1 delivery is dated \
          after as-of and not considered yet.
          """)
      #expect(
        thing.timeline.filter { $0.event == "later" }.map(\.words) == [
          "delivery late delivered: book for transaction 1, account anna (after as-of: not considered)"
        ])
    }
    let delivered = try Inquiry(about: "3", database: database).explanation.things
    #expect(delivered.map(\.cause) == ["delivered"])
  }

  @Test("delivery-status says which delivery is dated after as-of")
  func status() throws {
    let night = try Self.night()
    let answers = try DeliveryStatusInquiry(
      about: ["1", "2", "3", "9"], database: night.database.connectionString
    ).answers
    func words(_ delivery: String) -> String {
      "delivery \(delivery) says delivered on 2026-11-21T10:05:00Z, after as-of: it is not considered yet"
    }
    #expect(
      answers.map(\.because) == [
        "no attempt was made, but the log has other deliveries of that time; \(words("late"))",
        "it was bought on 2026-11-21T10:00:00Z, after as-of: it is not compared yet; \(words("later"))",
        "it was delivered (delivery early)", "no evidence contains it, but \(words("lone"))",
      ])
    #expect(answers.map(\.isKnown) == [true, true, true, true])
    #expect(answers.map(\.deliveries.count) == [0, 0, 1, 0])
  }

  @Test("an attempt that was delivered after as-of is not considered yet, and is named")
  func deliveredAfterAsOf() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-19 02:00
      2              | book       | 2026-11-19 02:00
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at         | status
      D1          | 1              | book       | 2026-11-20 02:59:50 | pending
      D1          | 1              | book       | 2026-11-20 03:00:05 | delivered
      D2          | 2              | book       | 2026-11-20 02:59:50 | pending
      D2          | 2              | book       | 2026-11-20 03:00:05 | failed
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let database = night.database.connectionString
    let sentences = try ["1", "2"].map { name in
      try #require(
        try Inquiry(about: name, database: database).explanation.things.first?.sentence)
    }
    #expect(
      sentences[0].hasSuffix(
        " begun on 2026-11-20T02:59:50Z, never ended. 1 delivery is dated after as-of and not "
          + "considered yet."), "\(sentences[0])")
    #expect(sentences[1].hasSuffix(" begun on 2026-11-20T02:59:50Z, never ended."))
    #expect(
      try DeliveryStatusInquiry(about: ["1", "2"], database: database).answers.map(\.because) == [
        "the latest attempt (delivery D1) never ended; delivery D1 says delivered on "
          + "2026-11-20T03:00:05Z, after as-of: it is not considered yet",
        "the latest attempt (delivery D2) never ended",
      ])
  }
}

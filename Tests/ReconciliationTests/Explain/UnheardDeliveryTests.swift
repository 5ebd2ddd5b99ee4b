import Configuration
import DamageTestSupport
import Explain
import Oracle
import ReconciliationTestSupport
import Testing

@Suite("Deliveries during a silent log")
struct UnheardDeliveryTests {
  /// Server a delivers books.
  ///
  /// Server a logged nothing from 10:00 to 11:00 on the 18th, unlike on the 4th to 17th. Server c
  /// logged something.
  private static func night() throws -> TestNight { try TestNight(copyOf: first.get()) }

  /// The night that is copied; no test connects to its database.
  nonisolated(unsafe) private static let first: Result<TestNight, any Error> = Result {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | grace_hours\nbook | 1\nsong | 1")
    var log = ["delivery_id | transaction_id | product_id | occurred_at | status | server"]
    for day in 4...17 {
      for minute in 10...21 {
        log.append(
          "a-\(day)-\(minute) | 77 | book | 2026-11-\(day < 10 ? "0" : "")\(day) 10:\(minute) | failed | a"
        )
      }
    }
    try night.deliveries(log.joined(separator: "\n"))
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status    | server
      other-1     | 90             | song       | 2026-11-18 09:30 | failed    | c
      other-2     | 91             | song       | 2026-11-18 11:10 | failed    | c
      failed      | 2              | book       | 2026-11-18 11:05 | failed    | a
      before      | 3              | book       | 2026-11-18 09:58 | pending   | a
      after       | 4              | book       | 2026-11-18 11:10 | pending   | a
      elsewhere   | 8              | book       | 2026-11-18 09:58 | pending   | c
      early       | 9              | book       | 2026-11-18 09:50 | failed    | a
      delivered   | 7              | book       | 2026-11-18 11:05 | delivered | a
      """)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | cancelled_at
      1              | book       | 2026-11-18 10:20 |
      2              | book       | 2026-11-18 10:20 |
      3              | book       | 2026-11-18 09:57 |
      4              | book       | 2026-11-18 10:20 |
      5              | book       | 2026-11-18 11:00 |
      6              | book       | 2026-11-18 10:20 | 2026-11-18 15:00
      7              | book       | 2026-11-18 10:20 |
      8              | book       | 2026-11-18 09:57 |
      9              | book       | 2026-11-18 09:45 |
      """)
    try night.run(asOf: "2026-11-19 09:00")
    return night.removedAtExit()
  }

  private static func statuses(_ night: TestNight) throws -> [String: String] {
    let answers = try DeliveryStatusInquiry(
      about: (1...9).map { "\($0)" }, database: night.database.connectionString
    ).answers
    return Dictionary(
      uniqueKeysWithValues: answers.map {
        ($0.transactionId, $0.consumptionRequest?.deliveryStatus ?? "none")
      })
  }

  @Test("no deliveryStatus is claimed for a delivery in a silent hour until the log arrives")
  func status() throws {
    let night = try Self.night()
    #expect(
      try Self.statuses(night) == [
        "1": "none", "2": "UNDELIVERED_OTHER", "3": "none", "4": "UNDELIVERED_OTHER",
        "5": "UNDELIVERED_OTHER", "6": "none", "7": "DELIVERED", "8": "UNDELIVERED_OTHER",
        // Its server was silent after the failed attempt.
        "9": "UNDELIVERED_SERVER_OUTAGE",
      ])
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status    | server
      arrived     | 1              | book       | 2026-11-18 10:21 | delivered | a
      """)
    try night.run(asOf: "2026-11-19 10:00")
    #expect(
      try Self.statuses(night) == [
        "1": "DELIVERED", "2": "UNDELIVERED_OTHER", "3": "UNDELIVERED_OTHER",
        "4": "UNDELIVERED_OTHER", "5": "UNDELIVERED_OTHER", "6": "UNDELIVERED_OTHER",
        "7": "DELIVERED", "8": "UNDELIVERED_OTHER", "9": "UNDELIVERED_OTHER",
      ])
  }

  @Test("explain names the server whose log is silent")
  func explained() throws {
    let night = try Self.night()
    let thing = try #require(
      try Inquiry(about: "1", database: night.database.connectionString).explanation.things.first)
    #expect(thing.cause == "no_records")
    #expect(
      thing.sentence
        == "Bought on 2026-11-18T10:20:00Z, and no delivery is known: from then until it was due "
        + "on 2026-11-18T11:20:00Z the log of the servers of this product (a) has nothing in some "
        + "hours; perhaps the log is missing, not the delivery.")
    #expect(
      thing.verdicts.contains { $0.rule == "silent_source" && $0.verdict == "found" })
  }

  @Test("explain does not say that an attempt never ended if its server became silent")
  func unended() throws {
    let night = try Self.night()
    func sentence(_ name: String) throws -> String {
      try #require(
        try Inquiry(about: name, database: night.database.connectionString)
          .explanation.things.first?.sentence)
    }
    let silenced = try sentence("3")
    #expect(
      silenced.hasPrefix(
        "Bought on 2026-11-18T09:57:00Z and no delivery is known: the only attempt (delivery "
          + "before, server a), begun on 2026-11-18T09:58:00Z, had not ended when its server "
          + "became silent on 2026-11-18T10:00:00Z; perhaps the log is missing, not the delivery."),
      "\(silenced)")
    // The silence was over before the attempt, or another server was silent.
    for name in ["4", "8"] {
      let ended = try sentence(name)
      #expect(ended.contains(" and never delivered: the only attempt "), "\(ended)")
      #expect(ended.contains(", never ended."), "\(ended)")
    }
  }

  @Test("explain and delivery-status name the silent server of a product that others deliver too")
  func partly() throws {
    let night = try Self.night()
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status | server
      second      | 77             | book       | 2026-11-17 09:30 | failed | d
      """)
    try night.run(asOf: "2026-11-19 10:00")
    let thing = try #require(
      try Inquiry(about: "1", database: night.database.connectionString).explanation.things.first)
    #expect(thing.cause == "never_attempted")
    #expect(
      thing.sentence
        == "Bought on 2026-11-18T10:20:00Z, and no attempt is known: the log of a has nothing in "
        + "some hours before the due date (2026-11-18T11:20:00Z); another server of this product "
        + "was not silent."
    )
    #expect(thing.verdicts.contains { $0.rule == "silent_source" && $0.verdict == "found" })
    let answer = try #require(
      try DeliveryStatusInquiry(about: ["1"], database: night.database.connectionString)
        .answers.first)
    #expect(answer.consumptionRequest?.deliveryStatus == "UNDELIVERED_OTHER")
    #expect(
      answer.because
        == "no attempt is known, but the log of a has nothing in some hours before it was due; "
        + "another server of its product was not silent")
  }

  @Test("an explained server has the number of the uncertain deliveries that it may have made")
  func server() throws {
    let night = try Self.night()
    func sentence(_ server: String) throws -> String? {
      try Inquiry(about: server, as: .server, database: night.database.connectionString)
        .explanation.overview?.sentence
    }
    let missing = try night.table("missing_deliveries.csv")
    let uncertain = missing.rows(where: "reason", is: "no_records").rows.count
    try #require(uncertain == 1)
    let words =
      "1 delivery of products that a serves is uncertain: its log has nothing in some hours of "
      + "its time."
    let silent = try #require(try sentence("a"))
    #expect(silent.contains(words), "\(silent)")
    let product = try #require(
      missing.rows(where: "reason", is: "no_records").columns(["product_id"]).rows.first?.first)
    let ofProduct = try #require(
      try Inquiry(about: product, as: .product, database: night.database.connectionString)
        .explanation.overview?.sentence)
    #expect(
      ofProduct.contains(
        "1 delivery is uncertain: the log, or that of each server of the product, has nothing in "
          + "some hours of its time."), "\(ofProduct)")
    // It served no product of an uncertain delivery.
    #expect(try sentence("c")?.contains("uncertain") == false)
  }

  @Test(
    "in a random night the deliveryStatus of a missing delivery agrees with its reason",
    arguments: RandomCases.seeds(1))
  func random(seed: UInt64) throws {
    let night = try TestNight()
    try night.run(PlantedSilence(seed: seed).silenced, files: 2, seed: seed)
    let missing = try night.table("missing_deliveries.csv").records
    let ids = missing.compactMap { $0["transaction_id"] }
    #expect(!ids.isEmpty)
    let answers = Dictionary(
      grouping: try DeliveryStatusInquiry(
        about: Array(Set(ids)), database: night.database.connectionString
      ).answers.filter { $0.environment == "Production" }, by: \.transactionId)
    var doubtful = 0
    for row in missing {
      let about = answers[row["transaction_id"] ?? ""]
      let said = about?.map { $0.consumptionRequest?.deliveryStatus ?? "none" }
      // Records of one delivery, or receipts, can contradict each other.
      let isDoubtful = about?.first?.because.contains("no answer is possible") == true
      if isDoubtful { doubtful += 1 }
      let expected =
        switch row["reason"] {
        case _ where isDoubtful: ["none"]
        case "wrong_product": ["UNDELIVERED_WRONG_ITEM"]
        case "failed": ["UNDELIVERED_SERVER_OUTAGE", "UNDELIVERED_OTHER"]
        case "never_attempted": ["UNDELIVERED_OTHER"]
        case "no_records": ["none"]
        default: ["UNDELIVERED_OTHER", "none"]
        }
      #expect(said?.count == 1 && expected.contains(said?.first ?? ""), "seed \(seed): \(row)")
    }
    #expect(doubtful * 2 < missing.count, "seed \(seed)")
  }

  @Test("a renewal of a chain that was bought before the books begin has no deliveryStatus")
  func chainBeforeBooks() throws {
    let night = try TestNight()
    night.settings.booksBegin = "2026-11-10T00:00:00Z"
    try night.catalogue(
      "product_id | type | delivery_per\nmonthly | auto_renewable | purchase\nbook | |")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id | original_purchased_at
      1              | 1                       | monthly    | 2026-11-01 10:00 | 91                     |
      2              | 1                       | monthly    | 2026-11-12 10:00 | 92                     | 2026-11-01 10:00
      4              | 3                       | monthly    | 2026-11-12 10:00 | 94                     | 2026-10-01 10:00
      6              | 5                       | monthly    | 2026-11-12 10:00 | 96                     | 2026-11-10 10:00
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      other       | 90             | book       | 2026-11-12 12:00 | failed
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let answer = try #require(
      try DeliveryStatusInquiry(about: ["2"], database: night.database.connectionString)
        .answers.first)
    #expect(answer.consumptionRequest == nil)
    #expect(answer.because.contains("before the books begin"))
    try expectNamedFirstPurchases(in: night)
  }

  /// Expects the answers about two renewals whose first purchases no evidence contains: 4, bought
  /// before the books, and 6, bought after they began.
  private func expectNamedFirstPurchases(in night: TestNight) throws {
    let database = night.database.connectionString
    // The rule reports both.
    let missing = try night.table("missing_deliveries.csv")
    #expect(missing.records.compactMap { $0["transaction_id"] } == ["4", "6"])
    let first =
      "o evidence contains its first purchase (transaction 3 of 2026-10-01T10:00:00Z), which may "
      + "have been delivered before the books begin on 2026-11-10T00:00:00Z"
    let sentences = try ["4", "6"].map { name in
      try #require(
        try Inquiry(about: name, database: database).explanation.things.first?.sentence)
    }
    let never = "Bought on 2026-11-12T10:00:00Z and never delivered: no attempt was made."
    #expect(sentences == ["\(never) N\(first).", never])
    let answers = try DeliveryStatusInquiry(about: ["4", "6"], database: database).answers
    let none = "no attempt was made, but the log has other deliveries of that time"
    #expect(
      answers.map(\.because) == ["\(none); n\(first): no answer is possible", none])
    #expect(
      answers.map { $0.consumptionRequest?.deliveryStatus } == [nil, "UNDELIVERED_OTHER"])
  }
}

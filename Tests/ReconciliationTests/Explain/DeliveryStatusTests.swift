import Configuration
import Explain
import ReconciliationTestSupport
import Testing

@Suite("The deliveryStatus that evidence supports")
struct DeliveryStatusTests {
  private static func ask(_ names: [String]) throws -> [DeliveryStatusInquiry.Answer] {
    try DeliveryStatusInquiry(
      about: names, database: PlantedCauses.night.get().database.connectionString
    ).answers
  }

  @Test(
    "each planted case has the deliveryStatus that its evidence supports",
    arguments: [
      ("1101", "DELIVERED", nil, ["D1101"]), ("1102", "DELIVERED", nil, ["D1102"]),
      ("1103", "UNDELIVERED_OTHER", 0, []), ("1104", "UNDELIVERED_WRONG_ITEM", 0, ["D1104"]),
      ("1105", "UNDELIVERED_OTHER", 0, ["D1105a", "D1105b"]),
      ("1106", "UNDELIVERED_OTHER", 0, ["D1106"]), ("1107", "UNDELIVERED_OTHER", 0, []),
      ("1109", nil, nil, []), ("1110", nil, nil, []), ("1111", nil, nil, []),
      ("1112", nil, nil, []), ("1113", nil, nil, []), ("1114", nil, nil, []),
      ("1115", nil, nil, []), ("1124", "DELIVERED", nil, ["D1125"]),
      // Apple refuses a percentage for auto-renewable subscriptions.
      ("1126", "UNDELIVERED_OTHER", nil, []), ("1123", nil, nil, []), ("nobody", nil, nil, []),
    ] as [(String, String?, Int?, [String])])
  func status(_ name: String, _ status: String?, _ percentage: Int?, _ standsOn: [String]) throws {
    let answers = try Self.ask([name])
    try #require(answers.count == 1)
    #expect(answers[0].consumptionRequest?.deliveryStatus == status)
    #expect(answers[0].consumptionRequest?.consumptionPercentage == percentage)
    #expect(answers[0].deliveries.map(\.deliveryId) == standsOn)
    #expect(answers[0].isKnown == (name != "nobody"))
    #expect(!answers[0].because.isEmpty)
  }

  @Test("a failed attempt says nothing about a purchase whose delivery can be older than the log")
  func olderThanLog() throws {
    let night = try TestNight.withOpenBooks()
    night.settings.booksBegin = "2026-11-01T00:00:00Z"
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at
      1              |                         | book       | 2026-10-10 09:00
      3              | 2                       | book       | 2026-11-10 09:00
      4              |                         | book       | 2026-11-10 09:00
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | status
      1              | book       | 2026-11-10 10:00 | failed
      3              | book       | 2026-11-10 10:00 | failed
      4              | book       | 2026-11-10 10:00 | failed
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let answers = try DeliveryStatusInquiry(
      about: ["1", "3", "4"], database: night.database.connectionString
    ).answers
    #expect(
      answers.map { $0.consumptionRequest?.deliveryStatus } == [nil, nil, "UNDELIVERED_OTHER"])
  }

  @Test("a delivery of another product is a wrong item only of what our servers owe")
  func wrongItem() throws {
    let night = try TestNight.withOpenBooks()
    night.settings.booksBegin = "2026-11-01T00:00:00Z"
    try night.catalogue("product_id | delivery\nbook |\nhosted | apple_hosted\nfilm |")
    // Bought before the books, restored, delivered by Apple, not listed; due, and not due.
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at
      1              |                         | book       | 2026-10-10 09:00
      3              | 2                       | book       | 2026-11-10 09:00
      4              |                         | hosted     | 2026-11-10 09:00
      5              |                         | old_book   | 2026-11-10 09:00
      6              |                         | book       | 2026-11-10 09:00
      7              |                         | book       | 2026-11-19 20:00
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at
      1              | film       | 2026-11-10 10:00
      3              | film       | 2026-11-10 10:00
      4              | film       | 2026-11-10 10:00
      5              | film       | 2026-11-10 10:00
      6              | film       | 2026-11-10 10:00
      7              | film       | 2026-11-19 21:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let answers = try DeliveryStatusInquiry(
      about: ["1", "3", "4", "5", "6", "7"], database: night.database.connectionString
    ).answers
    let wrong = "UNDELIVERED_WRONG_ITEM"
    #expect(
      answers.map { $0.consumptionRequest?.deliveryStatus } == [nil, nil, nil, nil, wrong, wrong])
    #expect(
      answers.map { $0.consumptionRequest?.consumptionPercentage } == [nil, nil, nil, nil, 0, 0])
    #expect(answers.first?.because.contains("before the books begin") == true)
  }

  @Test("a delivery of a product that a receipt names is no wrong item")
  func disputed() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook\ncomic\nfilm")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-10 09:00
      1              | comic      | 2026-11-10 09:00
      2              | book       | 2026-11-10 09:00
      2              | comic      | 2026-11-10 09:00
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at
      1              | comic      | 2026-11-10 10:00
      2              | film       | 2026-11-10 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let answers = try DeliveryStatusInquiry(
      about: ["1", "2"], database: night.database.connectionString
    ).answers
    #expect(
      answers.map { $0.consumptionRequest?.deliveryStatus } == [nil, "UNDELIVERED_WRONG_ITEM"])
    #expect(
      answers.map(\.because) == [
        "receipts disagree about the product, and delivery D1 delivered another one that they "
          + "name: no answer is possible",
        "another product was delivered (delivery D2); receipts disagree about the product",
      ])
  }

  @Test("a short answer has the first and last hundred deliveries and the one that decides")
  func manyDeliveries() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-10 09:00
      2              | book       | 2026-11-10 09:00
      """)
    let attempts = (100..<400).map { number in
      let time = "2026-11-10T10:0\(number / 100):\(number / 2 % 50 + 10)Z"
      return "d\(number),1,book,\(number == 250 ? "delivered" : "failed"),\(time)"
    }
    try night.put(
      "delivery_id,transaction_id,product_id,status,occurred_at\n"
        + attempts.joined(separator: "\n") + "\nd1,2,book,delivered,2026-11-10T10:00:00Z\n",
      at: "deliveries/a.csv")
    try night.run(asOf: "2026-11-20 03:00")
    let answers = try DeliveryStatusInquiry(
      about: ["1", "2"], database: night.database.connectionString
    ).answers
    let all = answers[0].deliveries.map(\.deliveryId)
    #expect(all.count == 300 && answers[0].deliveriesLeftOut == nil)
    let short = answers.map(\.shortened)
    #expect(
      short[0].deliveries.map(\.deliveryId) == Array(all[..<100] + ["d250"] + all[200...]))
    #expect(short.map(\.deliveriesLeftOut) == [99, nil])
    #expect(short[1].deliveries.map(\.deliveryId) == ["d1"])
  }

  @Test("a purchase has no status if the record of its only delivery was rejected")
  func rejected() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n101 | book | 2026-11-10 09:00\n1010 | book | 2026-11-10 09:00"
    )
    try night.put(
      """
      delivery_id,transaction_id,product_id,status,occurred_at
      d-1,101,book,ok,2026-11-10T09:01:00Z
      d-2,7,book,delivered,2026-11-10T09:01:00Z

      """, at: "deliveries/a.csv")
    try night.run(asOf: "2026-11-20 03:00")
    let answers = try DeliveryStatusInquiry(
      about: ["101", "1010"], database: night.database.connectionString
    ).answers
    #expect(answers[0].consumptionRequest == nil)
    #expect(
      answers[0].because
        == "a delivery record that contains its ID was rejected (deliveries/a.csv:2): no answer is possible until it is corrected"
    )
    #expect(answers[1].consumptionRequest?.deliveryStatus == "UNDELIVERED_OTHER")
  }

  @Test("any number of names is answered, in their order")
  func manyNames() throws {
    let names = (1...600).map { "unknown-\($0)" } + ["1101"]
    let answers = try Self.ask(names)
    #expect(answers.map(\.transactionId) == names)
    #expect(answers.last?.consumptionRequest?.deliveryStatus == "DELIVERED")
  }

  @Test(
    "an outage is claimed only if the server failed for three accounts in that hour, and is named")
  func outage() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-10 09:00
      2              | book       | 2026-11-10 09:00
      3              | book       | 2026-11-10 09:00
      4              | book       | 2026-11-10 09:00
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at         | status  | server | account_id | revision | error
      D1          | 1              | book       | 2026-11-10 10:00    | failed  | eu-1   | anna       |          | 503
      E1          | 91             | book       | 2026-11-10 10:30    | failed  | eu-1   | ben        |          | 503
      E2          | 92             | book       | 2026-11-10 10:59:59 | failed  | eu-1   | cleo       |          | 503
      D2          | 2              | book       | 2026-11-10 11:00    | failed  | eu-1   | anna       |          | disk full on device
      E3          | 93             | book       | 2026-11-10 11:30    | failed  | eu-1   | ben        |          | 503
      E4          | 94             | book       | 2026-11-10 11:30    | failed  | eu-1   | cleo       |          | 503
      E4          | 94             | book       | 2026-11-10 11:30    | pending | eu-1   | cleo       | 1        |
      E5          | 95             | book       | 2026-11-10 11:30    | failed  | eu-2   | cleo       |          | 503
      E6          | 96             | book       | 2026-11-10 11:30    | failed  | eu-1   | dora       |          | 503
      E6          | 96             | book       | 2026-11-10 11:32    | delivered | eu-1 | dora       |          |
      D3          | 3              | book       | 2026-11-10 10:15    | failed  |        | anna       |          | 503
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let answers = try DeliveryStatusInquiry(
      about: ["1", "2", "3", "4"], database: night.database.connectionString
    ).answers
    #expect(
      answers.map { $0.consumptionRequest?.deliveryStatus } == [
        "UNDELIVERED_SERVER_OUTAGE", "UNDELIVERED_OTHER", "UNDELIVERED_OTHER", "UNDELIVERED_OTHER",
      ])
    #expect(
      answers[0].because
        == "the latest attempt (delivery D1) failed, and in that hour eu-1 failed for 3 accounts "
        + "(D1 to E2)")
    #expect(
      answers[1].because
        == "the latest attempt (delivery D2) failed, and no other record of its server shows an outage"
    )
  }

  @Test(
    "an environment that is not configured has no status, whatever the log says")
  func otherEnvironment() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | environment
      1              | book       | 2026-11-10 09:00 | Sandbox
      2              | book       | 2026-11-10 09:00 | Sandbox
      3              | book       | 2026-11-10 09:00 | Production
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status    | environment
      D1          | 1              | book       | 2026-11-10 10:00 | delivered | Sandbox
      D2          | 2              | book       | 2026-11-10 10:00 | failed    | Sandbox
      D3          | 3              | book       | 2026-11-10 10:00 | delivered | Production
      """)
    func ask() throws -> [DeliveryStatusInquiry.Answer] {
      try DeliveryStatusInquiry(
        about: ["1", "2", "3"], database: night.database.connectionString
      ).answers
    }
    try night.run(asOf: "2026-11-20 03:00")
    let answers = try ask()
    #expect(
      answers.map { $0.consumptionRequest?.deliveryStatus } == [nil, nil, "DELIVERED"])
    #expect(answers.map(\.isKnown) == [true, true, true])
    #expect(answers[0].deliveries.map(\.deliveryId) == ["D1"])
    #expect(
      answers[0].because
        == "Sandbox is not among the configured environments: it is not compared")
    night.settings.environments = ["Production", "Sandbox"]
    try night.run(asOf: "2026-11-21 03:00")
    #expect(
      try ask().map { $0.consumptionRequest?.deliveryStatus }
        == ["DELIVERED", "UNDELIVERED_OTHER", "DELIVERED"])
  }

  @Test("a purchase that nobody owes yet, or that only its restores tell of, has no status")
  func nothingOwed() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | type\nbook | non_consumable")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | original_purchased_at
      2              | 1                       | book       | 2026-11-10 09:00 | 2019-11-10 09:00
      3              |                         | book       | 2026-11-21 09:00 |
      """)
    try night.deliver("9", at: "2026-11-10 10:00")
    try night.run(asOf: "2026-11-20 03:00")
    let answers = try DeliveryStatusInquiry(
      about: ["2", "3"], database: night.database.connectionString
    ).answers
    #expect(answers.map { $0.consumptionRequest?.deliveryStatus } == [nil, nil])
    #expect(answers.map(\.isKnown) == [true, true])
    #expect(
      answers.map(\.because) == [
        "only restores of 1 are known, never the purchase itself: nothing is owed",
        "it was bought on 2026-11-21T09:00:00Z, after as-of: it is not compared yet",
      ])
  }

  @Test("an attempt that has not ended is told, although its delivery is not due")
  func notDue() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-19 20:00
      2              | book       | 2026-11-19 20:00
      3              | book       | 2026-11-19 20:00
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status  | server | error
      D1          | 1              | book       | 2026-11-19 21:00 | pending | eu-1   |
      D3          | 3              | book       | 2026-11-19 21:00 | failed  | eu-1   | disk full
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let database = night.database.connectionString
    #expect(
      try DeliveryStatusInquiry(about: ["1", "2"], database: database).answers.map(\.because) == [
        "its delivery is not due yet, and the latest attempt (delivery D1) has not ended",
        "its delivery is not due yet, and none is known",
      ])
    func sentence(_ name: String) throws -> String? {
      try Inquiry(about: name, database: database).explanation.things.first?.sentence
    }
    let due =
      "Bought on 2026-11-19T20:00:00Z; its delivery is due on 2026-11-20T20:00:00Z, after as-of."
    #expect(
      try sentence("1")
        == "\(due) The only attempt (delivery D1, server eu-1) began on 2026-11-19T21:00:00Z and "
        + "has not ended.")
    #expect(try sentence("2") == due)
    #expect(
      try sentence("3")
        == "\(due) The only attempt (delivery D3, server eu-1) failed on 2026-11-19T21:00:00Z: "
        + "disk full.")
  }

  @Test("failures of testers are no outage, although their records name no environment")
  func outageOfTesters() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | environment
      1              | book       | 2026-11-10 09:00 | Production
      2              | book       | 2026-11-10 09:00 | Sandbox
      3              | book       | 2026-11-10 09:00 | Sandbox
      3              | book       | 2026-11-21 09:00 | Production
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status | server | account_id
      D1          | 1              | book       | 2026-11-10 10:05 | failed | eu-1   | anna
      D2          | 2              | book       | 2026-11-10 10:20 | failed | eu-1   | tester-1
      D3          | 3              | book       | 2026-11-10 10:21 | failed | eu-1   | tester-2
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let answers = try DeliveryStatusInquiry(
      about: ["1"], database: night.database.connectionString
    ).answers
    #expect(answers.map { $0.consumptionRequest?.deliveryStatus } == ["UNDELIVERED_OTHER"])
  }

  @Test("several names are answered in the order of the question, each as if asked alone")
  func together() throws {
    let names = (1101...1130).map { "\($0)" }.reversed() + ["1101", "x"]
    let together = try Self.ask(Array(names))
    #expect(together.map(\.transactionId) == Array(names))
    for (name, answer) in zip(names, together) {
      let alone = try Self.ask([name])[0]
      #expect(alone.consumptionRequest?.deliveryStatus == answer.consumptionRequest?.deliveryStatus)
      #expect(alone.because == answer.because)
    }
    #expect(try Self.ask([]).isEmpty)
  }

  @Test("consent and sample are what the caller gives; otherwise they are absent")
  func consent() throws {
    let database = try PlantedCauses.night.get().database.connectionString
    let said = try DeliveryStatusInquiry(
      about: ["1101"], hasConsent: true, hasSample: false, database: database
    ).answers[0].consumptionRequest
    #expect(said?.customerConsented == true)
    #expect(said?.sampleContentProvided == false)
    let unsaid = try Self.ask(["1101"])[0].consumptionRequest
    #expect(unsaid?.customerConsented == nil)
    #expect(unsaid?.sampleContentProvided == nil)
  }
}

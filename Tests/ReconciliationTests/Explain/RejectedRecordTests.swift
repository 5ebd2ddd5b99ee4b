import Configuration
import Explain
import Foundation
import ReconciliationTestSupport
import Testing

@Suite("Explaining purchases whose delivery records were rejected or superseded")
struct RejectedRecordTests {
  private static let header = "delivery_id,transaction_id,product_id,status,occurred_at\n"

  private static func status(
    _ name: String, in night: TestNight
  ) throws -> DeliveryStatusInquiry.Answer {
    let answers = try DeliveryStatusInquiry(
      about: [name], database: night.database.connectionString
    ).answers
    return try #require(answers.first)
  }

  @Test("a truncated record is no reason any more when its file has grown")
  func truncated() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      10             | book       | 2026-11-10 09:00
      101            | book       | 2026-11-10 09:00
      """)
    let first = Self.header + "D-1,9,book,delivered,2026-11-10T09:01:00Z\n"
    try night.put(first + "D-2,10", at: "deliveries/a.csv")
    try night.run(asOf: "2026-11-20 03:00")
    func rejections() throws -> [String] {
      try Inquiry(about: "10", database: night.database.connectionString)
        .explanation.rejections.map(\.reason)
    }
    #expect(try rejections() == ["truncated"])
    let before = try Self.status("10", in: night)
    #expect(before.consumptionRequest == nil)
    #expect(before.because.contains(" was rejected (deliveries/a.csv:3): "), "\(before.because)")

    try night.put(
      first + "D-2,101,book,delivered,2026-11-10T09:01:00Z\n", at: "deliveries/a.csv")
    try night.run(asOf: "2026-11-21 03:00")
    #expect(try rejections() == [])
    #expect(
      try Self.status("10", in: night).consumptionRequest?.deliveryStatus == "UNDELIVERED_OTHER")
    #expect(try Self.status("101", in: night).consumptionRequest?.deliveryStatus == "DELIVERED")
  }

  @Test("a truncated record is no reason any more when its file has grown under another name")
  func renamed() throws {
    let night = try TestNight.withOpenBooks()
    let first = Self.header + "D-1,9,book,delivered,2026-11-10T09:01:00Z\n"
    for file in ["a", "b"] {
      try night.put(first + "D-2,1000\(file)", at: "deliveries/\(file).csv")
    }
    try night.run(asOf: "2026-11-20 03:00")
    func reasons(_ file: String) throws -> [String] {
      try Inquiry(about: "1000\(file)", database: night.database.connectionString)
        .explanation.rejections.map(\.reason)
    }
    let folder = night.inbox.appending(path: "deliveries")
    try FileManager.default.moveItem(
      at: folder.appending(path: "a.csv"), to: folder.appending(path: "a.1.csv"))
    // Another file, with another inode.
    try night.put(first + "D-3,9,book,delivered,2026-11-10T09:01:00Z\n", at: "deliveries/c.csv")
    for file in ["a", "b"] { #expect(try reasons(file) == ["truncated"]) }
    let handle = try FileHandle(forWritingTo: folder.appending(path: "a.1.csv"))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("7,book,delivered,2026-11-10T09:01:00Z\n".utf8))
    try handle.close()
    try night.run(asOf: "2026-11-21 03:00")
    #expect(try reasons("a") == [])
    #expect(try reasons("b") == ["truncated"])
  }

  @Test("a rejected record is no reason any more when its file was read again with another setting")
  func readAgain() throws {
    let night = try TestNight()
    let receipts = [("20001", "com.two"), ("30001", "com.three")].map { transaction, bundle in
      """
      {"status":0,"receipt":{"bundle_id":"\(bundle)","in_app":[{"transaction_id":"\(transaction)",\
      "product_id":"book","purchase_date":"2026-11-18 10:00:00 Etc/GMT"}]}}

      """
    }
    try night.put(receipts.joined(), at: "receipts/a.ndjson")
    night.settings.bundleIDs = ["com.one"]
    try night.run(asOf: "2026-11-20 03:00")
    func reasons(_ name: String) throws -> [String] {
      try Inquiry(about: name, database: night.database.connectionString)
        .explanation.rejections.map { "\($0.reason) \($0.asOf)" }
    }
    let first = ["foreign_bundle 2026-11-20T03:00:00Z"]
    for name in ["20001", "30001"] { #expect(try reasons(name) == first) }
    night.settings.bundleIDs = ["com.one", "com.two"]
    try night.run(asOf: "2026-11-21 03:00")
    #expect(try reasons("20001") == [])
    #expect(try reasons("30001") == ["foreign_bundle 2026-11-21T03:00:00Z"])
  }

  @Test("a rejected record is no reason any more when its file was withdrawn, until that is undone")
  func withdrawn() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n4711 | book | 2026-11-10 09:00")
    try night.deliver("9", at: "2026-11-10 09:01")
    let path = "deliveries/a.csv"
    try night.put(Self.header + "D-1,4711,book,ok,2026-11-10T09:01:00Z\n", at: path)
    try night.run(asOf: "2026-11-20 03:00")
    func expect(_ status: String?, _ reasons: [String]) throws {
      #expect(try Self.status("4711", in: night).consumptionRequest?.deliveryStatus == status)
      let explanation = try Inquiry(about: "4711", database: night.database.connectionString)
        .explanation
      #expect(explanation.rejections.map(\.reason) == reasons)
      let sentence = try #require(explanation.things.first?.sentence)
      #expect(sentence.contains(" was rejected (\(path):2)") == (status == nil), "\(sentence)")
    }
    try expect(nil, ["bad_status"])
    _ = try night.withdraw(path)
    try expect("UNDELIVERED_OTHER", [])
    _ = try night.undoWithdrawal(path)
    try expect(nil, ["bad_status"])
  }

  @Test("a record that is rejected each time its file has grown is shown once")
  func grown() throws {
    let night = try TestNight.withOpenBooks()
    var log = Self.header + "D-1,4711,book,strange,2026-11-10T09:01:00Z\n"
    log += "D-2,4711,book,strange,2026-11-10T09:01:00Z\n"
    for day in 20...22 {
      log += "E-\(day),9,book,delivered,2026-11-10T09:01:00Z\n"
      try night.put(log, at: "deliveries/a.csv")
      try night.run(asOf: "2026-11-\(day) 03:00")
    }
    let explanation = try Inquiry(about: "4711", database: night.database.connectionString)
      .explanation
    #expect(explanation.rejections.compactMap(\.line).sorted() == [2, 3])
    #expect(
      explanation.rejections.map(\.asOf) == ["2026-11-22T03:00:00Z", "2026-11-22T03:00:00Z"])
    #expect(explanation.rejectionCount == 2)
  }

  @Test("the rejected record of a purchase is named, whatever name was asked about")
  func ofPurchase() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | type\nbook |\nmonthly | auto_renewable")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id | web_order_line_item_id
      601            | book       | 2026-11-10 09:00 | anna       |
      602            | monthly    | 2026-11-10 09:00 | ben        | 96
      603            | book       | 2026-11-10 09:00 | anna       |
      """)
    try night.put(
      """
      delivery_id,transaction_id,product_id,status,occurred_at,web_order_line_item_id
      Z-1,601,book,ok,2026-11-10T09:01:00Z,
      Z-2,7,monthly,ok,2026-11-10T09:01:00Z,96
      Z-3,8,book,delivered,2026-11-10T09:01:00Z,

      """, at: "deliveries/a.csv")
    try night.run(asOf: "2026-11-20 03:00")
    let findings = try night.table("findings.csv").rows(where: "rule", is: "missing_delivery")
      .columns(["subject", "finding"]).rows
    let finding = try #require(findings.first { $0[0].hasPrefix("601 ") }?[1])
    func sentences(_ name: String) throws -> [String] {
      try Inquiry(about: name, database: night.database.connectionString)
        .explanation.things.map(\.sentence)
    }
    let words = "no attempt is known: a delivery record with the ID was rejected (deliveries/a.csv:"
    for name in ["601", "anna", finding] {
      let rejected = try sentences(name).filter { $0.contains("\(words)2).") }
      #expect(rejected.count == 1, "\(name)")
    }
    #expect(try sentences("anna").count { $0.contains("no attempt was made") } == 1)
    #expect(try sentences("ben").allSatisfy { $0.contains("\(words)3).") })
    let answer = try Self.status("602", in: night)
    #expect(answer.consumptionRequest == nil)
    #expect(answer.because.contains(" was rejected (deliveries/a.csv:3): "), "\(answer.because)")
    #expect(
      try Self.status("603", in: night).consumptionRequest?.deliveryStatus == "UNDELIVERED_OTHER")
  }

  @Test("a rejected record after a failed attempt gives no status until it is corrected")
  func afterFailure() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n616 | book | 2026-11-10 09:00")
    let path = "deliveries/a.csv"
    var log = Self.header + "Z-1,616,book,failed,2026-11-10T09:01:00Z\n"
    log += "Z-2,616,book,DELIVERED,2026-11-10T09:05:00Z\n"
    try night.put(log, at: path)
    try night.run(asOf: "2026-11-20 03:00")
    func expect(_ status: String?) throws {
      let answer = try Self.status("616", in: night)
      #expect(answer.consumptionRequest?.deliveryStatus == status, "\(answer.because)")
      let sentence = try #require(
        try Inquiry(about: "616", database: night.database.connectionString)
          .explanation.things.first?.sentence)
      let rejected = ". A delivery record with the ID was rejected (\(path):3)."
      for (text, words) in [(sentence, rejected), (answer.because, " rejected (\(path):3): ")] {
        #expect(text.contains(words) == (status == nil), "\(text)")
      }
    }
    try expect(nil)
    // The bad line of a log that grows is rejected again.
    log += "Z-2,616,book,failed,2026-11-10T09:05:00Z\n"
    for line in ["", "Z-3,9,book,failed,2026-11-10T09:05:00Z\n"] {
      log += line
      try night.put(log, at: path)
      try night.run(asOf: line.isEmpty ? "2026-11-21 03:00" : "2026-11-22 03:00")
      try expect("UNDELIVERED_OTHER")
    }
  }

  @Test("rejected records whose text was not kept are counted, and give no status")
  func notKept() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      7001           | book       | 2026-11-10 09:00
      7140           | book       | 2026-11-10 09:00
      8000           | book       | 2026-11-21 09:00
      """)
    for (id, day) in [("8", 10), ("9", 21)] { try night.deliver(id, at: "2026-11-\(day) 09:01") }
    let path = "deliveries/d.csv"
    let records = { (numbers: ClosedRange<Int>, status: String) in
      numbers.map { "Z-\($0),\(7000 + $0),book,\(status),2026-11-10T09:01:00Z\n" }.joined()
    }
    try night.put(Self.header + records(1...150, "ok"), at: path)
    let words =
      "50 rejected delivery records (\(path)) were not searched, because their text was not kept"
    func expect(_ name: String, _ status: String?, _ words: String) throws {
      let answer = try Self.status(name, in: night)
      #expect(answer.consumptionRequest?.deliveryStatus == status)
      let sentence = try #require(
        try Inquiry(about: name, database: night.database.connectionString)
          .explanation.things.first?.sentence)
      for text in [answer.because, sentence] { #expect(text.contains(words), "\(text)") }
    }
    for day in [20, 23] {
      try night.run(asOf: "2026-11-\(day) 03:00")
      try expect("7001", nil, " was rejected (\(path):2)")
      try expect("7140", nil, words)
    }
    // Its file was read before this purchase was made.
    try expect("8000", "UNDELIVERED_OTHER", "no attempt was made")
    try night.put(Self.header + records(1...139, "failed"), at: path)
    try night.run(asOf: "2026-11-24 03:00")
    try expect("7001", "UNDELIVERED_OTHER", "failed")
    try expect("7140", "UNDELIVERED_OTHER", "no attempt was made")
  }

  @Test("an unreadable file of deliveries is named, and gives no status")
  func unreadable() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-10 09:00
      2              | book       | 2026-11-21 09:00
      """)
    for (id, day) in [("8", 10), ("9", 21)] { try night.deliver(id, at: "2026-11-\(day) 09:01") }
    let path = "deliveries/broken.csv"
    try night.put(
      "delivery_id,transaction_id,product_id,occurred_at\nD,1,book,2026-11-10T09:01:00Z\n",
      at: path)
    for day in [20, 23] { try night.run(asOf: "2026-11-\(day) 03:00") }
    let words = "a file of deliveries/ is unreadable (\(path)), so an attempt may be missing"
    func expect(_ name: String, isNamed: Bool) throws {
      let answer = try Self.status(name, in: night)
      #expect((answer.consumptionRequest == nil) == isNamed)
      let sentence = try #require(
        try Inquiry(about: name, database: night.database.connectionString)
          .explanation.things.first?.sentence)
      for text in [answer.because, sentence] {
        #expect(text.contains(words) == isNamed, "\(text)")
      }
    }
    try expect("1", isNamed: true)
    // The file was read before this purchase was made.
    try expect("2", isNamed: false)
    _ = try night.withdraw(path)
    try expect("1", isNamed: false)
  }

  @Test("records of one delivery that contradict each other are named, and decide nothing")
  func contradicted() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook\ncomic\nfilm")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      647            | film       | 2026-11-10 09:00
      648            | book       | 2026-11-10 09:00
      649            | film       | 2026-11-10 09:00
      """)
    // Of Z-9, only the accounts differ.
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | account_id | status
      Z-7         | 647            | film       | 2026-11-10 09:01 |            | delivered
      Z-7         | 647            | comic      | 2026-11-10 09:01 |            | delivered
      Z-8         | 648            | book       | 2026-11-10 09:01 |            | delivered
      Z-8         | 648            | comic      | 2026-11-10 09:01 |            | delivered
      Z-9         | 649            | comic      | 2026-11-10 09:01 | anna       | delivered
      Z-9         | 649            | comic      | 2026-11-10 09:01 | ben        | delivered
      """)
    try night.run(asOf: "2026-11-20 03:00")
    for (name, id) in [("647", "Z-7"), ("648", "Z-8")] {
      let answer = try Self.status(name, in: night)
      #expect(answer.consumptionRequest == nil)
      #expect(
        answer.because == """
          records of \(id) contradict each other: no answer is possible until the right one is \
          sent again
          """)
    }
    #expect(
      try Self.status("649", in: night).consumptionRequest?.deliveryStatus
        == "UNDELIVERED_WRONG_ITEM")
    for name in ["647", "649"] {
      let sentence = try #require(
        try Inquiry(about: name, database: night.database.connectionString)
          .explanation.things.first?.sentence)
      #expect(sentence.contains(" and never delivered: "), "\(sentence)")
      #expect(
        sentence.contains(" Records of Z-7 contradict each other.") == (name == "647"),
        "\(sentence)")
    }
  }

  @Test("a record that a later record of its delivery superseded is named, and decides nothing")
  func superseded() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      600            | book       | 2026-11-10 09:00
      601            | book       | 2026-11-10 09:00
      602            | book       | 2026-11-10 09:00
      603            | book       | 2026-11-10 09:00
      604            | book       | 2026-11-10 09:00
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      C-1         | 600            | book       | 2026-11-10 09:01 | delivered
      C-1         | 601            | book       | 2026-11-10 09:02 | delivered
      C-2         | 602            | book       | 2026-11-10 09:01 | delivered
      C-2         | 601            | book       | 2026-11-10 09:02 | delivered
      C-3         | 602            | book       | 2026-11-10 09:03 | failed
      C-4         | 603            | book       | 2026-11-10 09:01 | failed
      C-4         | 601            | book       | 2026-11-10 09:02 | delivered
      """)
    try night.run(asOf: "2026-11-20 03:00")
    func sentence(_ name: String) throws -> String {
      let things = try Inquiry(about: name, database: night.database.connectionString)
        .explanation.things
      return try #require(things.first { $0.owes?.transactionId == name }?.sentence)
    }
    func words(_ id: String) -> String {
      "elivery \(id) said delivered for it; a later record of \(id) names 601"
    }
    let never = try sentence("600")
    #expect(never.contains(", and no delivery of it counts: d\(words("C-1"))."), "\(never)")
    let failed = try sentence("602")
    #expect(failed.contains(" failed on 2026-11-10T09:03:00Z. D\(words("C-2"))."), "\(failed)")
    for (name, id) in [("600", "C-1"), ("602", "C-2")] {
      let answer = try Self.status(name, in: night)
      #expect(answer.consumptionRequest == nil)
      #expect(
        answer.because.hasPrefix("d\(words(id)): no answer is possible"), "\(answer.because)")
    }
    #expect(try Self.status("601", in: night).consumptionRequest?.deliveryStatus == "DELIVERED")
    for name in ["603", "604"] {
      #expect(try sentence(name).contains(" and never delivered: no attempt was made."))
      #expect(
        try Self.status(name, in: night).consumptionRequest?.deliveryStatus == "UNDELIVERED_OTHER")
    }
  }
}

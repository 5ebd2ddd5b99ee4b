import Explain
import ReconciliationTestSupport
import Testing

@Suite("Explaining a withdrawn file and its records")
struct WithdrawnRecordTests {
  private static func night() throws -> TestNight { try TestNight(copyOf: first.get()) }

  /// The night that is copied; no test connects to its database.
  nonisolated(unsafe) private static let first: Result<TestNight, any Error> = Result {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-10 10:00
      """)
    try night.deliveries(
      "delivery_id | transaction_id | product_id | occurred_at\nD9 | 9 | book | 2026-11-10 10:05")
    try night.run(asOf: "2026-11-20 03:00")
    return night.removedAtExit()
  }

  private static func file(in night: TestNight) throws -> String {
    try #require(
      try Inquiry(about: "1", database: night.database.connectionString)
        .explanation.things.first?.timeline.first?.file)
  }

  @Test("the file says that it was withdrawn, before and after the rebuild and its undo")
  func file() throws {
    let night = try Self.night()
    let path = try Self.file(in: night)
    func sentence() throws -> String {
      try #require(
        try Inquiry(about: path, database: night.database.connectionString).explanation.overview?
          .sentence)
    }
    _ = try night.withdraw(path)
    #expect(try sentence().contains(") and counts until tieout rebuild: 1 document"))
    _ = try night.rebuild()
    #expect(try sentence().hasSuffix(" and does not count: its records were taken out."))
    _ = try night.undoWithdrawal(path)
    #expect(
      try sentence().hasSuffix(
        ", was withdrawn, which was undone (the next run that finds it in the inbox loads it): "
          + "its records were taken out."))
    try night.run(asOf: "2026-11-20 04:00")
    #expect(try sentence().contains(" was loaded for the night of 2026-11-20T04:00:00Z: 1 doc"))
  }

  @Test("a purchase or delivery whose file was withdrawn says so until the rebuild")
  func counted() throws {
    let night = try Self.night()
    func sentence(_ name: String) throws -> String? {
      try Inquiry(about: name, database: night.database.connectionString).explanation.things.first?
        .sentence
    }
    let words =
      "Records of it count only until tieout rebuild runs, because their file was withdrawn: "
    for name in ["1", "D9"] { #expect(try sentence(name)?.contains(words) == false) }
    let path = try Self.file(in: night)
    _ = try night.withdraw(path)
    let purchase = try #require(try sentence("1"))
    #expect(purchase.contains("\(words)\(path) (withdrawn on 20"), "\(purchase)")
    #expect(purchase.hasSuffix("Z: a test)."), "\(purchase)")
    #expect(try sentence("D9")?.contains(words) == false)
    _ = try night.undoWithdrawal(path)
    #expect(try sentence("1")?.contains(words) == false)
  }

  @Test("a delivery of a file that was withdrawn gives no status until the rebuild")
  func status() throws {
    let night = try Self.night()
    let path = "deliveries/own.csv"
    try night.put(
      "delivery_id,transaction_id,product_id,status,occurred_at\n"
        + "D1,1,book,delivered,2026-11-10T10:05:00Z\n", at: path)
    try night.run(asOf: "2026-11-20 04:00")
    func answer() throws -> DeliveryStatusInquiry.Answer {
      try #require(
        try DeliveryStatusInquiry(about: ["1"], database: night.database.connectionString)
          .answers.first)
    }
    #expect(try answer().consumptionRequest?.deliveryStatus == "DELIVERED")
    _ = try night.withdraw(path)
    let withdrawn = try answer()
    #expect(withdrawn.consumptionRequest == nil)
    #expect(
      withdrawn.because.hasPrefix(
        "it was delivered (delivery D1); run tieout rebuild first: records of it count only until "
          + "tieout rebuild runs, because their file was withdrawn: \(path) (withdrawn on 20"),
      "\(withdrawn.because)")
    #expect(withdrawn.because.hasSuffix("Z: a test)"), "\(withdrawn.because)")
    _ = try night.rebuild()
    #expect(try answer().consumptionRequest?.deliveryStatus == "UNDELIVERED_OTHER")
  }

  @Test("a transaction that is gone is explained by its findings")
  func gone() throws {
    let night = try Self.night()
    _ = try night.withdraw(try Self.file(in: night))
    _ = try night.rebuild()
    let explanation = try Inquiry(about: "1", database: night.database.connectionString)
      .explanation
    #expect(explanation.name == "1")
    #expect(explanation.things.map(\.kind) == ["finding"])
    #expect(explanation.things.map(\.cause) == ["missing_delivery"])
    #expect(explanation.things.first?.sentence.contains(", resolved on 2026-11-20: ") == true)
  }
}

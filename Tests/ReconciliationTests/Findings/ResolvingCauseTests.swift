import Configuration
import DamageTestSupport
import Oracle
import ReconciliationTestSupport
import Testing

@Suite("Causes of resolved findings")
struct ResolvingCauseTests {
  /// What a first night contains.
  struct Scene: Sendable {
    /// The name of a scene of several cases; otherwise empty.
    let name: String
    private let put: @Sendable (TestNight) throws -> Void

    init(_ name: String = "", put: @escaping @Sendable (TestNight) throws -> Void) {
      self.name = name
      self.put = put
    }

    func callAsFunction(_ night: TestNight) throws { try put(night) }
  }

  /// A finding of one night, the change after it, and the cause that the next night gives for
  /// resolving it.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let rule: String
    let cause: String
    /// What `changes.csv` says about the record; it has a file, unless `isPlaced` is false.
    let record: String
    var isPlaced = true
    /// The days of the two nights.
    var days = ["2026-11-20", "2026-11-21"]
    let first: Scene
    let then: @Sendable (TestNight) throws -> Void

    /// The cases with the same text share the first night.
    var firstNight: String {
      first.name.isEmpty ? testDescription : "\(first.name) on \(days[0])"
    }
  }

  /// How the second night comes to know what has changed.
  private enum Way: CaseIterable {
    case judgesAffected
    case judgesEverything
    case isLoadedByPastDay
  }

  private static let groups = Dictionary(grouping: cases + casesOfRecords, by: \.firstNight)
    .sorted { $0.key < $1.key }.map(\.value)

  @Test(
    """
    the cause is the same whether the night judges everything or only the affected records, and \
    whether the night or a run of a past day has loaded the file
    """,
    arguments: groups)
  func cause(_ examples: [Case]) throws {
    let first = try TestNight.withOpenBooks()
    // The log must not be empty, and not everything must be affected.
    try first.catalogue("product_id | delivery\nother | built_in")
    try first.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      X1          | 99             | other      | 2026-11-10 10:05 | failed
      """)
    try examples[0].first(first)
    try first.run(asOf: "\(examples[0].days[0]) 03:00")
    for example in examples {
      let found = try first.table("findings.csv").rows(where: "rule", is: example.rule)
      #expect(found.rows.count == 1, "\(example.testDescription): \(found.text)")
      for way in Way.allCases {
        let night = try TestNight(copyOf: first)
        if way == .judgesEverything {
          _ = try night.database.draw("delete from judged returning true")
        }
        try example.then(night)
        if way == .isLoadedByPastDay {
          try night.run(asOf: "\(example.days[0]) 02:00")
        }
        try expect(example, in: night)
      }
    }
  }

  /// Runs the second night of a case, and expects its cause.
  private func expect(_ example: Case, in night: TestNight) throws {
    try night.run(asOf: "\(example.days[1]) 03:00")
    let changes = try night.table("changes.csv").rows(where: "rule", is: example.rule)
      .rows(where: "change", is: "resolved")
    #expect(
      changes.columns(["change", "cause", "age_days", "first_flagged_on", "record"]).text
        == DrawnTable(
          """
          change   | cause            | age_days | first_flagged_on   | record
          resolved | \(example.cause) | 1        | \(example.days[0]) | \(example.record)
          """
        ).text, "\(example.testDescription)")
    let places = changes.columns(["file", "line"]).rows
    #expect(
      places.allSatisfy { $0.allSatisfy { !$0.isEmpty } } == example.isPlaced,
      "\(example.testDescription): \(places)")
  }

  @Test("what a run of a past day loaded is a cause in the next night")
  func loadedByPastDay() throws {
    let night = try TestNight.withOpenBooks()
    try Self.missingBook(night)
    try night.run(asOf: "2026-11-20 03:00")
    try night.deliver("1", at: "2026-11-19 10:00")
    try night.run(asOf: "2026-11-15 03:00")
    try night.run(asOf: "2026-11-21 03:00")
    let changes = try night.table("changes.csv").rows(where: "change", is: "resolved")
    #expect(
      changes.columns(["rule", "cause", "record"]).rows
        == [["missing_delivery", "delivered_late", "delivery D-1"]], "\(changes.text)")
  }

  private static let signedHeader =
    "transaction_id | product_id | purchased_at | signed_at | revoked_at\n"

  /// A night after a purchase that was refunded, and delivered after the refund.
  private static func nightAfterRefund() throws -> TestNight {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | type\nbook | non_consumable")
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status    | revision
      D1          | 1              | book       | 2026-11-15 10:00 | delivered | 1
      """)
    try night.signed(
      signedHeader + """
        1 | book | 2026-11-10 10:00 | 2026-11-10 10:00 |
        1 | book | 2026-11-10 10:00 | 2026-11-13 10:00 | 2026-11-12 10:00
        """)
    try night.run(asOf: "2026-11-19 03:00")
    return night
  }

  @Test(
    "a refund that a repeated transaction reverses names the file of the newest copy",
    arguments: ["2026-11-20 02:30", "2026-11-20 12:00"])
  func reversed(signed: String) throws {
    let night = try Self.nightAfterRefund()
    try night.signed(Self.signedHeader + "1 | book | 2026-11-10 10:00 | \(signed) |")
    // A copy that is signed after this night counts in the next one.
    try night.run(asOf: "2026-11-20 03:00")
    if signed.hasSuffix("12:00") { try night.run(asOf: "2026-11-21 03:00") }
    let changes = try night.table("changes.csv").rows(where: "change", is: "resolved")
    #expect(
      changes.columns(["rule", "cause", "record"]).rows
        == [["delivery_without_purchase", "evidence_arrived", "transaction 1"]], "\(changes.text)")
    let newest = "select path as file, '' as line from input_file order by file_id desc limit 1"
    #expect(changes.columns(["file", "line"]).text == (try night.database.draw(newest)))
  }

  @Test("a transaction that was signed before the refund is not why a delivery has a purchase")
  func signedBeforeRefund() throws {
    let night = try Self.nightAfterRefund()
    try night.signed(Self.signedHeader + "1 | book | 2026-11-10 10:00 | 2026-11-11 10:00 |")
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status    | revision
      D1          | 1              | book       | 2026-11-11 10:00 | delivered | 2
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let changes = try night.table("changes.csv").rows(where: "change", is: "resolved")
    #expect(
      changes.columns(["rule", "cause", "record"]).rows
        == [["delivery_without_purchase", "log_arrived", "delivery D1"]], "\(changes.text)")
  }

  @Test("a rebuild without a withdrawn file names the file")
  func withdrawn() throws {
    let night = try TestNight.withOpenBooks()
    try Self.missingBook(night)
    try night.put("[\"other\"]", at: "catalog/other.json")
    try night.deliver("2", at: "2026-11-10 10:05")
    try night.run(asOf: "2026-11-20 03:00")
    let path = try #require(
      try night.table("changes.csv").rows(where: "rule", is: "delivery_without_purchase").rows.first
    )
    #expect(!path.isEmpty)
    let file = try #require(
      try night.database.draw(
        "select path from input_file where folder = 'deliveries' order by file_id desc limit 1"
      ).split(separator: "\n").last)
    _ = try night.withdraw(String(file))
    try night.rebuild()
    let changes = try night.table("changes.csv").rows(where: "change", is: "resolved")
    #expect(
      changes.columns(["rule", "cause", "file"]).rows
        == [["delivery_without_purchase", "file_withdrawn", String(file)]], "\(changes.text)")
  }

  @Test("a rebuild names the setting with which it reads files, also after a night with it")
  func readOtherwise() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.put(
      """
      {"status":0,"receipt":{"bundle_id":"com.two","in_app":[{"transaction_id":"1",\
      "product_id":"book","purchase_date":"2026-11-10 10:00:00 Etc/GMT"}]}}\n
      """, at: "receipts/two.ndjson")
    night.settings.bundleIDs = ["com.one", "com.two"]
    try night.run(asOf: "2026-11-20 03:00")
    night.settings.bundleIDs = ["com.one"]
    // This night reads no file, so its limit does not matter.
    night.settings.documentLimitBytes += 1
    try night.run(asOf: "2026-11-20 03:00")
    night.settings.documentLimitBytes -= 1
    try night.run(asOf: "2026-11-20 03:00")
    try night.rebuild()
    let changes = try night.table("changes.csv").rows(where: "change", is: "resolved")
    for rule in ["missing_delivery", "unpriced_product"] {
      #expect(
        changes.rows(where: "rule", is: rule).columns(["cause", "record"]).rows
          == [["settings_changed", "bundle_ids"]], "\(changes.text)")
    }
  }

  @Test("a rebuild without a withdrawn file does not blame a catalogue that is unchanged")
  func withdrawnRestores() throws {
    let night = try TestNight.withOpenBooks()
    try Self.missingBook(night)
    try night.deliver("1", at: "2026-11-10 10:05")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at
      2              | 1                       | book       | 2026-11-12 10:00
      3              | 1                       | book       | 2026-11-13 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let file = try #require(
      try night.database.draw(
        "select path from input_file where folder = 'receipts' order by file_id desc limit 1"
      ).split(separator: "\n").last)
    _ = try night.withdraw(String(file))
    try night.rebuild()
    let changes = try night.table("changes.csv").rows(where: "change", is: "resolved")
    #expect(
      changes.columns(["rule", "cause", "file"]).rows
        == [["duplicate_restore", "file_withdrawn", String(file)]], "\(changes.text)")
  }

  @Test("at least 19 of 20 resolutions in random histories have a cause that can be traced")
  func traced() throws {
    var causes: [String: Int] = [:]
    for seed in RandomCases.seeds(2) {
      let input = RandomNight(seed: seed &+ 300, accounts: 30).input
      let night = try TestNight()
      var random = Dice(seed)
      var asOf = input.asOf - 12 * 86_400
      for (number, part) in input.nights(6, seed: seed).enumerated() {
        var part = part
        asOf += random.pick(3600, 86_400, 3 * 86_400, 14 * 86_400)
        part.asOf = asOf
        try night.run(part, files: 2, seed: seed &* 31 &+ UInt64(number))
      }
      let drawn = try night.database.draw(
        """
        select finding.rule || ' ' || finding_event.cause as cause, count(*)
        from finding_event inner join finding using (finding_id)
        where event = 'resolved' group by 1
        """)
      for row in DrawnTable(drawn).rows { causes[row[0], default: 0] += Int(row[1]) ?? 0 }
    }
    let untraced = causes.filter { $0.key.hasSuffix("no_longer_holds") }.values.reduce(0, +)
    let all = causes.values.reduce(0, +)
    #expect(all > 0 && untraced * 20 <= all, "\(causes)")
  }
}

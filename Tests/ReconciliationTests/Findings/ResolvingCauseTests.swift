import Configuration
import DamageTestSupport
import Oracle
import ReconciliationTestSupport
import Testing

@Suite("Causes of resolved findings")
struct ResolvingCauseTests {
  /// A finding of one night, the change after it, and the cause that the next night gives for
  /// resolving it.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let rule: String
    let cause: String
    /// What `changes.csv` says about the record; it has a file, unless `isPlaced` is false.
    let record: String
    var isPlaced = true
    let first: @Sendable (TestNight) throws -> Void
    let then: @Sendable (TestNight) throws -> Void
  }

  private static let purchase = """
    transaction_id | product_id | purchased_at
    1              | book       | 2026-11-10 10:00
    """

  private static let missingBook: @Sendable (TestNight) throws -> Void = {
    try $0.catalogue("product_id\nbook")
    try $0.transactions(purchase)
  }

  private static let refund: @Sendable (TestNight) throws -> Void = {
    try $0.transactions(
      """
      transaction_id | product_id | purchased_at     | cancelled_at
      1              | book       | 2026-11-10 10:00 | 2026-11-20 11:00
      """)
  }

  /// The purchase was delivered; a restore on another device failed.
  private static let failedRestore: @Sendable (TestNight) throws -> Void = {
    try missingBook($0)
    try $0.deliver("1", at: "2026-11-10 10:05")
    try $0.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status | device_id
      E1          | 1              | book       | 2026-11-12 10:05 | failed | phone
      """)
  }

  /// A subscription that is delivered once. Its first period was refunded, and the second is owed.
  private static let refundedPeriod: @Sendable (TestNight) throws -> Void = {
    try $0.catalogue("product_id | type\na b | auto_renewable")
    try $0.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id | cancelled_at
      7              | 7                       | a b        | 2026-11-10 10:00 | 97                     | 2026-11-11 10:00
      71             | 7                       | a b        | 2026-11-12 10:00 | 971                    |
      """)
  }

  private static let cases = [
    Case(
      testDescription: "delivered after all", rule: "missing_delivery", cause: "delivered_late",
      record: "delivery D-1",
      first: missingBook, then: { try $0.deliver("1", at: "2026-11-20 10:00") }),
    Case(
      testDescription: "delivered and refunded", rule: "missing_delivery", cause: "delivered_late",
      record: "delivery D-1",
      first: missingBook,
      then: {
        try $0.deliver("1", at: "2026-11-20 10:00")
        try refund($0)
      }),
    Case(
      testDescription: "the purchase was refunded", rule: "missing_delivery", cause: "refunded",
      record: "transaction 1",
      first: missingBook,
      then: refund),
    Case(
      testDescription: "a known delivery belongs to a restore that arrived",
      rule: "missing_delivery", cause: "evidence_arrived", record: "transaction 100",
      first: {
        try missingBook($0)
        try $0.deliver("100", at: "2026-11-10 10:05")
      },
      then: {
        try $0.transactions(
          """
          transaction_id | original_transaction_id | product_id | purchased_at
          100            | 1                       | book       | 2026-11-12 10:00
          """)
      }),
    Case(
      testDescription: "a revision says for which transaction a known delivery was",
      rule: "missing_delivery", cause: "delivered_late", record: "delivery K",
      first: {
        try missingBook($0)
        try $0.deliveries(
          """
          delivery_id | transaction_id | product_id | occurred_at      | status
          K           | 600            | book       | 2026-11-10 10:05 | delivered
          """)
      },
      then: {
        try $0.deliveries(
          """
          delivery_id | transaction_id | product_id | occurred_at      | status    | revision
          K           | 1              | book       | 2026-11-10 10:05 | delivered | 1
          """)
      }),
    Case(
      testDescription: "a catalogue gives more time to a chain of which a purchase was refunded",
      rule: "missing_delivery", cause: "catalogue_changed",
      record: "catalogue entry a b grace_hours",
      first: refundedPeriod,
      then: { try $0.catalogue("product_id | grace_hours\na b | 2000") }),
    Case(
      testDescription: "the other purchase of a chain is refunded, too",
      rule: "missing_delivery", cause: "refunded", record: "transaction 71",
      first: refundedPeriod,
      then: {
        try $0.transactions(
          """
          transaction_id | original_transaction_id | product_id | purchased_at     | web_order_line_item_id | cancelled_at
          71             | 7                       | a b        | 2026-11-12 10:00 | 971                    | 2026-11-20 11:00
          """)
      }),
    Case(
      testDescription: "a catalogue says that it comes with the app", rule: "missing_delivery",
      cause: "catalogue_changed",
      record: "catalogue entry book delivery",
      first: missingBook, then: { try $0.catalogue("product_id | delivery\nbook | built_in") }),
    Case(
      testDescription: "a catalogue says that Apple hosts a subscription's content",
      rule: "missing_delivery", cause: "catalogue_changed",
      record: "catalogue entry a b delivery",
      first: {
        try $0.catalogue(
          """
          product_id | type           | delivery_per
          a b        | auto_renewable | period
          """)
        try $0.transactions(
          """
          transaction_id | product_id | purchased_at     | web_order_line_item_id
          1              | a b        | 2026-11-10 10:00 | 7
          """)
      },
      then: { try $0.catalogue("product_id | delivery\na b | apple_hosted") }),
    Case(
      testDescription: "it was bought before the books begin", rule: "missing_delivery",
      cause: "settings_changed",
      record: "books_begin", isPlaced: false,
      first: missingBook, then: { $0.settings.booksBegin = "2026-11-15T00:00:00Z" }),
    Case(
      testDescription: "it restores an old purchase", rule: "missing_delivery",
      cause: "evidence_arrived",
      record: "transaction 1",
      first: missingBook,
      then: {
        try $0.transactions(
          """
          transaction_id | product_id | purchased_at     | original_purchased_at
          1              | book       | 2026-11-10 10:00 | 2019-11-10 10:00
          """)
      }),
    Case(
      testDescription: "a catalogue lists it", rule: "invalid_product_id",
      cause: "catalogue_changed",
      record: "catalogue entry a b delivery",
      first: {
        try $0.catalogue("product_id\nbook")
        try $0.transactions(
          "transaction_id | product_id | purchased_at\n1 | a b | 2026-11-10 10:00")
      }, then: { try $0.catalogue("product_id | delivery\na b | built_in") }),
    Case(
      testDescription: "a catalogue gives a price", rule: "unpriced_product",
      cause: "catalogue_changed",
      record: "catalogue entry a b price",
      first: {
        try $0.catalogue("product_id\na b")
        try $0.transactions(
          "transaction_id | product_id | purchased_at\n1 | a b | 2026-11-10 10:00")
      }, then: { try $0.catalogue("product_id | prices\na b | USD 1.99") }),
    Case(
      testDescription: "a restore's download was delivered", rule: "unfinished_delivery",
      cause: "delivered_late",
      record: "delivery E2",
      first: failedRestore,
      then: {
        try $0.deliveries(
          """
          delivery_id | transaction_id | product_id | occurred_at      | status    | device_id
          E2          | 1              | book       | 2026-11-20 10:05 | delivered | phone
          """)
      }),
    Case(
      testDescription: "a restore's purchase was refunded", rule: "unfinished_delivery",
      cause: "refunded",
      record: "transaction 1",
      first: failedRestore,
      then: refund),
    Case(
      testDescription: "its receipt arrived", rule: "delivery_without_purchase",
      cause: "evidence_arrived",
      record: "transaction 1",
      first: {
        try $0.catalogue("product_id\nbook")
        try $0.deliver("1", at: "2026-11-10 10:05")
      }, then: { try $0.transactions(purchase) }),
    Case(
      testDescription: "its type can be restored", rule: "unrestorable_restore",
      cause: "catalogue_changed",
      record: "catalogue entry book type",
      first: {
        try $0.catalogue("product_id | type\nbook | consumable")
        try $0.transactions(
          """
          transaction_id | original_transaction_id | product_id | purchased_at
          2              | 1                       | book       | 2026-11-10 10:00
          """)
      }, then: { try $0.catalogue("product_id | type\nbook | auto_renewable") }),
    Case(
      testDescription: "another record of it says that it failed",
      rule: "delivery_without_purchase",
      cause: "log_arrived", record: "delivery D-1",
      first: {
        try $0.catalogue("product_id\nbook")
        try $0.deliver("1", at: "2026-11-10 10:05")
      }, then: { try $0.deliver("1", at: "2026-11-10 10:06", status: "failed") }),
    Case(
      testDescription: "an app on another device restored it", rule: "duplicate_restore",
      cause: "app_reported", record: "app log of 1",
      first: restoredThrice,
      then: {
        try $0.clientLog(
          """
          transaction_id | original_transaction_id | product_id | state    | transaction_date | device_id
          2              | 1                       | book       | restored | 2026-11-20 10:00 | d-1
          3              | 1                       | book       | restored | 2026-11-20 10:00 | d-2
          4              | 1                       | book       | restored | 2026-11-20 10:00 | d-3
          """)
      }),
    Case(
      testDescription: "it was restored too long ago", rule: "duplicate_restore",
      cause: "window_ended", record: "last restored on 2026-11-13T10:00:00Z", isPlaced: false,
      first: {
        $0.settings.restoreWindowDays = 7
        try restoredThrice($0)
      }, then: { _ in }),
    Case(
      testDescription: "more restores are allowed", rule: "duplicate_restore",
      cause: "settings_changed", record: "restores_allowed", isPlaced: false,
      first: restoredThrice, then: { $0.settings.restoresAllowed = 5 }),
    Case(
      testDescription: "it was restored too long ago, in a night with other limits of reading",
      rule: "duplicate_restore", cause: "window_ended",
      record: "last restored on 2026-11-13T10:00:00Z", isPlaced: false,
      first: {
        $0.settings.restoreWindowDays = 7
        try restoredThrice($0)
      }, then: { $0.settings.documentLimitBytes += 1 }),
    Case(
      testDescription: "the receipt of its purchase arrived", rule: "missing_original",
      cause: "evidence_arrived", record: "transaction 1",
      first: {
        try $0.catalogue("product_id\nbook")
        try $0.transactions(
          """
          transaction_id | original_transaction_id | product_id | purchased_at
          2              | 1                       | book       | 2026-11-12 10:00
          """)
      },
      then: {
        try $0.transactions(purchase)
        try $0.deliver("1", at: "2026-11-10 10:05")
      }),
    Case(
      testDescription: "the receipt of a purchase in an app arrived",
      rule: "purchase_without_receipt",
      cause: "evidence_arrived", record: "transaction 1",
      first: {
        try $0.catalogue("product_id\nbook")
        try $0.clientLog(
          """
          transaction_id | product_id | state     | transaction_date
          1              | book       | purchased | 2026-11-10 10:00
          """)
      },
      then: {
        try $0.transactions(purchase)
        try $0.deliver("1", at: "2026-11-10 10:05")
      }),
    Case(
      testDescription: "a third account uses it", rule: "shared_purchase",
      cause: "evidence_arrived", record: "transaction 1",
      first: {
        try $0.catalogue("product_id\nbook")
        try $0.transactions(
          """
          transaction_id | product_id | purchased_at     | account_id
          1              | book       | 2026-11-19 10:00 | ann
          1              | book       | 2026-11-19 10:00 | ben
          """)
      },
      then: {
        try $0.transactions(
          """
          transaction_id | product_id | purchased_at     | account_id
          1              | book       | 2026-11-19 10:00 | cleo
          """)
      }),
  ]

  /// A purchase and three restores of it, without devices.
  private static let restoredThrice: @Sendable (TestNight) throws -> Void = {
    try $0.catalogue("product_id\nbook")
    try $0.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at
      1              | 1                       | book       | 2026-11-10 10:00
      2              | 1                       | book       | 2026-11-11 10:00
      3              | 1                       | book       | 2026-11-12 10:00
      4              | 1                       | book       | 2026-11-13 10:00
      """)
    try $0.deliver("1", at: "2026-11-10 10:05")
  }

  @Test(
    "the cause is the same whether the night judges everything or only the affected records",
    arguments: cases)
  func cause(_ example: Case) throws {
    for judgesEverything in [false, true] {
      let night = try TestNight.withOpenBooks()
      // The log must not be empty, and not everything must be affected.
      try night.catalogue("product_id | delivery\nother | built_in")
      try night.deliveries(
        """
        delivery_id | transaction_id | product_id | occurred_at      | status
        X1          | 99             | other      | 2026-11-10 10:05 | failed
        """)
      try example.first(night)
      try night.run(asOf: "2026-11-20 03:00")
      let found = try night.table("findings.csv").rows(where: "rule", is: example.rule)
      #expect(found.rows.count == 1, "\(found.text)")
      if judgesEverything {
        _ = try night.database.draw("delete from judged returning true")
      }
      try example.then(night)
      try night.run(asOf: "2026-11-21 03:00")
      let changes = try night.table("changes.csv").rows(where: "rule", is: example.rule)
        .rows(where: "change", is: "resolved")
      #expect(
        changes.columns(["change", "cause", "age_days", "first_flagged_on", "record"]).text
          == DrawnTable(
            """
            change   | cause            | age_days | first_flagged_on | record
            resolved | \(example.cause) | 1        | 2026-11-20       | \(example.record)
            """
          ).text)
      let places = changes.columns(["file", "line"]).rows
      #expect(places.allSatisfy { $0.allSatisfy { !$0.isEmpty } } == example.isPlaced, "\(places)")
    }
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
      var random = SplitMix64(seed: seed)
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

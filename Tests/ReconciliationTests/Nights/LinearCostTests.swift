import Foundation
import Logging
import PostgreSQL
import ReconciliationSQL
import ReconciliationTestSupport
import Testing
import Waiting
@testable import Rules
@testable import Runs

/// Data that an outsider can send in thousands: prices of one product, deliveries and purchases of
/// one chain, claims of one transaction, purchases of one account.
@Suite("The work of an SQL statement grows in proportion to its data")
struct LinearCostTests {
  /// A database with a night in which all data below counts.
  static func prepared() throws -> (TestNight, Connection) {
    let night = try TestNight(copyOf: first.get())
    let database = try night.database.connect()
    try database.run(
      """
      set search_path = tieout; set timezone = 'UTC'; set work_mem = '256MB'; set jit = off;
      set enable_mergejoin = off; set max_parallel_workers_per_gather = 0
      """, step: "prepare")
    return (night, database)
  }

  /// The night that all tests begin with; none of them connects to its database.
  nonisolated(unsafe) private static let first: Result<TestNight, any Error> = Result {
    let night = try TestNight()
    try night.deliveries(
      "transaction_id | product_id | occurred_at\n1 | book.emma | 2026-11-01 10:00")
    try night.run(asOf: "2026-11-20 03:00")
    return night.removedAtExit()
  }

  /// Evidence of `count` transactions, already merged, with one product and one original.
  static func transactions(
    _ count: Int, type: String, _ database: Connection
  ) throws {
    try database.run(
      """
      insert into recorded_product (product_number, product_id)
      select coalesce(max(product_number), 0) + 1, 'book' from recorded_product
      on conflict (product_id) do nothing;
      insert into merged_transaction (
          environment_code, transaction_number, original_number, product_number, quantity,
          first_purchased_at, is_trial, is_introductory_offer, is_promotional_offer,
          is_family_shared, is_upgraded, account_ids, device_ids, account_tokens, is_conflicting,
          is_refund_questioned, is_suspicious, is_signed, product_type, line_item_number
      )
      select
          '', 100000 + number, 100000, \(Self.number(of: "book")), 1,
          '2026-11-02T00:00:00Z'::timestamptz + number * interval '1 minute',
          false, false, false, false, false, '{}', '{}', '{}', false, false, false,
          false, '\(type)',
          case when '\(type)' = 'auto_renewable' then number end
      from generate_series(1, \(count)) as every (number);
      analyze merged_transaction
      """, step: "transactions")
  }

  static func deliveries(
    _ count: Int, transaction: String, original: String, product: String, _ database: Connection
  ) throws {
    try database.run(
      """
      insert into recorded_product (product_number, product_id)
      select (select coalesce(max(product_number), 0) from recorded_product) + row_number() over (), named.id
      from (select distinct '\(product)' as id from generate_series(1, \(count)) as every (number)) as named
      on conflict (product_id) do nothing;
      insert into stored_delivery (
          delivery_id, content_hash, transaction_number, original_number, product_number, status_code,
          occurred_at, environment, account_id, file_id, line
      )
      select
          'D' || number, hashtextextended(number::text, 0), identifier_number(\(transaction)), identifier_number(\(original)),
          \(Self.number(of: product)),
          '', '2026-11-02T00:00:30Z'::timestamptz + number * interval '1 minute',
          'Production', 'guest', 1, number
      from generate_series(1, \(count)) as every (number);
      analyze stored_delivery
      """, step: "deliveries")
  }

  /// A subquery for the number of a product.
  private static func number(of product: String) -> String {
    "(select product_number from recorded_product where product_id = '\(product)')"
  }

  private static func claims(_ count: Int, columns: String, _ database: Connection) throws {
    try database.run(
      """
      insert into client_transaction (
          content_hash, product_id, state, occurred_at, device_id, file_id, line, transaction_id,
          original_transaction_id
      )
      select
          hashtextextended(number::text, 0), 'book', \(columns)
      from generate_series(1, \(count)) as every (number);
      analyze client_transaction
      """, step: "claims")
  }

  /// The largest number of rows that a part of the query handles in a night, counting the rows that
  /// it returns and the rows that it filters out.
  ///
  /// - Parameter carried: A relation that the query reads, too.
  static func rows(
    of query: String, _ database: Connection, with carried: SQLFile? = nil
  ) throws -> Int {
    try database.run("begin", step: "judge")
    try database.run(Schema.transactionSettings, step: "judge")
    try database.run(Schema.judgingSettings, step: "judge")
    let relations = JudgedRelations(database: database)
    let steps = Steps(logger: Logger(label: "test"), stop: StopRequest()) { _ in }
    try relations.make(steps: steps)
    try relations.apply(Rule.all.filter { $0.name == "missing_delivery" }, steps: steps)
    defer { _ = try? database.run("rollback", step: "judge") }
    if let carried {
      try database.run("create temporary table \(carried.name) as \(carried.text)", step: "judge")
    }
    let most = try largest(of: lines(of: query, database))
    try #require(most > 0)
    return most
  }

  @Test("the work is linear in the number of prices of one product")
  func prices() throws {
    let (night, database) = try Self.prepared()
    defer { withExtendedLifetime(night) {} }
    try database.run(
      """
      insert into catalogue_fact (
          product_id, member, currency, price_from, value, file_id, line
      )
      select
          'book', 'price', 'USD', '2020-01-01T00:00:00Z'::timestamptz + number * interval '1 hour',
          number::text, 1, number
      from generate_series(1, 1000) as every (number);
      analyze catalogue_fact
      """, step: "prices")
    #expect(try Self.rows(of: SQLFile.judgePrice.text, database) <= 2 * 1000)
    #expect(
      try database.run(
        "select count(*), count(price), count(distinct in_force_from) from price", step: "prices"
      ).values == [["1000", "1000", "1000"]])
  }

  @Test("the work is linear in the number of purchases of one product and of its prices")
  func pricedPurchases() throws {
    let (night, database) = try Self.prepared()
    defer { withExtendedLifetime(night) {} }
    try Self.transactions(1000, type: "non_consumable", database)
    try database.run(
      """
      update merged_transaction set original_number = transaction_number;
      analyze merged_transaction;
      insert into catalogue_fact (product_id, member, value, file_id, line)
      values ('book', 'listed', '', 1, 1);
      insert into catalogue_fact (
          product_id, member, currency, price_from, value, file_id, line
      )
      select
          'book', 'price', 'USD', '2026-11-02T00:00:00Z'::timestamptz + number * interval '1 minute',
          number::text, 1, number
      from generate_series(1, 1000) as every (number);
      analyze catalogue_fact
      """, step: "prices")
    #expect(try Self.rows(of: SQLFile.judgeSale.text, database) <= 10 * 1000)
    // Each purchase is made at the instant from which its own price applies.
    #expect(
      try database.run("select count(*), sum(amount) from sale", step: "prices").values
        == [["1000", "500500"]])
  }

  @Test("a night leaves statistics of many new findings, with which reports join them")
  func findings() throws {
    let (night, database) = try Self.prepared()
    try night.catalogue("product_id\nbook.emma")
    try Self.deliveries(
      1000, transaction: "'9' || number", original: "null", product: "' || number || '", database)
    try night.run(asOf: "2026-11-20 04:00")
    try night.recompute()
    let text = SQLFile.reportInvalidProductIds.text
    #expect(try Self.rows(of: text, database) <= 10 * 1000)
  }

  @Test("of many unknown identifiers only the most frequent ones get a closest identifier")
  func closest() throws {
    let (night, database) = try Self.prepared()
    // Identifiers of other lengths are not compared letter by letter.
    let listed = (1...50_000).map { "\"a.listed.identifier.that.is.longer.than.the.others.\($0)\"" }
    try night.put(
      "[\"book.emma\",\"film.nosferatu\",\(listed.joined(separator: ","))]", at: "catalog/all.json")
    try Self.deliveries(
      198, transaction: "'9' || number", original: "null", product: "x' || number % 99 || '",
      database)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id     | occurred_at
      E1          | 801            | book.enma      | 2026-11-02 10:00
      E2          | 802            | book.enma      | 2026-11-02 10:00
      E3          | 803            | film.nosferatv | 2026-11-02 10:00
      """)
    try night.run(asOf: "2026-11-20 04:00")
    try night.recompute()
    let table = try night.table("invalid_product_ids.csv").columns([
      "product_id", "closest_product_id",
    ])
    #expect(table.rows.filter { !$0[1].isEmpty } == [["book.enma", "book.emma"]])
  }

  @Test("the work is linear in the number of missing deliveries")
  func missing() throws {
    let (night, database) = try Self.prepared()
    defer { withExtendedLifetime(night) {} }
    try Self.transactions(1000, type: "non_consumable", database)
    try database.run(
      """
      update merged_transaction set original_number = transaction_number;
      insert into catalogue_fact (product_id, member, value, file_id, line)
      values ('book', 'listed', '', 1, 1);
      analyze merged_transaction
      """, step: "purchases")
    let query = SQLFile.carriedMissingDelivery.text
    #expect(try Self.rows(of: query, database) <= 10 * 1000)
  }

  @Test("the work is linear in the number of deliveries that name the original of a chain")
  func chain() throws {
    let (night, database) = try Self.prepared()
    defer { withExtendedLifetime(night) {} }
    try Self.transactions(1000, type: "auto_renewable", database)
    try Self.deliveries(
      1000, transaction: "'9' || number", original: "'100000'", product: "book", database)
    #expect(try Self.rows(of: SQLFile.judgeAttempt.text, database) <= 10 * 1000)
    // Each delivery belongs to the period before it.
    #expect(
      try database.run("select count(distinct family_key) from attempt", step: "chain").first
        == "1000")
  }

  @Test("a restore that a thousand devices claim is one member with all devices")
  func restores() throws {
    let (night, database) = try Self.prepared()
    defer { withExtendedLifetime(night) {} }
    try Self.transactions(1, type: "non_consumable", database)
    try Self.claims(
      1000,
      columns: """
        'restored', '2026-11-03T00:00:00Z', 'device-' || number, 1, number, '777', '100001'
        """, database)
    #expect(
      try database.run(
        "select cardinality(device_ids) from member where is_claimed", step: "restores"
      ).first == "1000")
  }

  @Test("the work is linear in the number of claims and transactions of one original")
  func evidenced() throws {
    let (night, database) = try Self.prepared()
    defer { withExtendedLifetime(night) {} }
    try Self.transactions(1000, type: "non_consumable", database)
    try Self.claims(
      1000,
      columns: """
        'purchased', '2026-11-03T00:00:00Z', 'device-' || number, 1, number, '100000', null
        """, database)
    let text = SQLFile.rulePurchaseWithoutReceipt.text
    #expect(try Self.rows(of: text, database) <= 10 * 1000)
  }

  @Test("the work is linear in the number of deliveries for an original under another product")
  func unplaced() throws {
    let (night, database) = try Self.prepared()
    defer { withExtendedLifetime(night) {} }
    try Self.transactions(1000, type: "non_consumable", database)
    try database.run(
      """
      insert into catalogue_fact (product_id, member, value, file_id, line)
      values ('film', 'listed', '', 1, 1)
      """, step: "catalogue")
    try Self.deliveries(
      1000, transaction: "'100000'", original: "null", product: "film", database)
    let text = SQLFile.ruleDeliveryWithoutPurchase.text
    #expect(try Self.rows(of: text, database) <= 10 * 1000)
  }

  @Test("the work is linear in the number of refunded periods and deliveries of one chain")
  func refunded() throws {
    let (night, database) = try Self.prepared()
    defer { withExtendedLifetime(night) {} }
    try Self.transactions(1000, type: "auto_renewable", database)
    try database.run(
      """
      update merged_transaction
      set cancelled_at = first_purchased_at + interval '1 second'
      where transaction_number > 100000;
      analyze merged_transaction;
      insert into catalogue_fact (product_id, member, value, file_id, line)
      values ('book', 'listed', '', 1, 1)
      """, step: "refunds")
    try Self.deliveries(
      1000, transaction: "(100000 + number)::text", original: "null", product: "book", database)
    let text = SQLFile.ruleDeliveryWithoutPurchase.text
    #expect(try Self.rows(of: text, database) <= 10 * 1000)
  }

  @Test(
    "the work for possible matches of purchases that share an account is linear",
    arguments: ["delivered", "failed"])
  func guests(status: String) throws {
    let (night, database) = try Self.prepared()
    defer { withExtendedLifetime(night) {} }
    try Self.deliveries(
      1000, transaction: "'9' || number", original: "null", product: "book", database)
    // All deliveries and purchases are within two seconds.
    try database.run(
      """
      update stored_delivery
      set
          status_code = status_code('\(status)'),
          occurred_at = '2026-11-02T10:00:00Z'::timestamptz + line % 2 * interval '1 second'
      where account_id = 'guest';
      create temporary table missed as
      select
          'Production' collate "C" as environment,
          number::text collate "C" as obligation_key,
          number::text collate "C" as transaction_id,
          'book' collate "C" as product_id,
          'guest' collate "C" as account_id,
          '2026-11-02T10:00:00Z'::timestamptz + number % 2 * interval '1 second' as purchased_at
      from generate_series(1, 1000) as every (number)
      """, step: "guests")
    try database.run("vacuum analyze stored_delivery", step: "guests")
    // Each purchase is compared with its forty nearest deliveries.
    for file in [SQLFile.carriedNearDelivery, .carriedPlacedRecord, .carriedPossibleMatch] {
      #expect(try Self.rows(ofEach: file, database) <= 2 * 40 * 1000)
    }
    #expect(
      try database.run("select count(*) from possible_match", step: "guests").first
        == (status == "delivered" ? "5000" : "0"))
  }

  /// The largest number of rows that a part of any command of the file handles.
  private static func rows(ofEach file: SQLFile, _ database: Connection) throws -> Int {
    let code = file.text.split(separator: "\n").filter { !$0.hasPrefix("--") }
    var most = 0
    for command in code.joined(separator: "\n").split(separator: ";") {
      let text = command.trimmingCharacters(in: .whitespacesAndNewlines)
        .replacing(" on commit drop", with: "")
      if text.hasPrefix("create temporary table") {
        most = max(most, try largest(of: lines(of: text, database)))
      } else {
        try database.run(text, step: file.name)
      }
    }
    try #require(most > 0)
    return most
  }
}

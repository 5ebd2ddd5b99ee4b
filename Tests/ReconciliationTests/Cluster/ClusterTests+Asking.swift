import Configuration
import DamageTestSupport
import Explain
import Findings
import Foundation
import Oracle
import PostgreSQL
import ReconciliationTestSupport
import Reports
import Testing

/// What people ask about a ledger has the same answers on a cluster.
extension ClusterTests {
  /// The names that are asked about: a few of each kind, in the order of their bytes.
  private static let names = """
    select name from (
        select name, row_number() over (partition by kind order by name) as place
        from (
            select distinct named.kind, named.name
            from tieout.store_transaction
            cross join lateral (
                values
                ('transaction', transaction_id), ('line item', web_order_line_item_id),
                ('account', account_ids[1]), ('product', product_id)
            ) as named (kind, name)
            union all
            select distinct named.kind, named.name
            from tieout.delivery_record
            cross join lateral (
                values
                ('delivery', delivery_id), ('server', server), ('error', error),
                ('device', device_id), ('transaction of a delivery', transaction_id)
            ) as named (kind, name)
            union all
            select rule, name from tieout.finding
            union all
            select 'file', path from tieout.input_file
            union all
            select 'month', to_char(month, 'YYYY-MM') collate "C" from tieout.standing_month
        ) as known
        where name is not null
    ) as named
    where place <= 2
    """

  @Test("explanations, lists and statuses are those of a single server", arguments: Place.allCases)
  func questions(on place: Place) throws {
    let single = try TestNight()
    let clustered = try Self.night(on: place)
    let nights = [single, clustered]
    let parts = RandomNight(seed: 953, accounts: 40).input.nights(2, seed: 5)
    for (number, part) in parts.enumerated() {
      for night in nights { try night.run(part, files: 2, seed: UInt64(number)) }
    }
    let names = try single.database.connect().run(Self.names, step: "test").records
      .map { $0.text("name") }
    try #require(names.count > 30)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    for name in names {
      let texts = try nights.map { night in
        let inquiry = try Inquiry(about: name, database: night.database.connectionString)
        return String(decoding: try encoder.encode(inquiry.explanation), as: UTF8.self)
      }
      #expect(texts[0] == texts[1], "\(name)")
    }
    let statuses = try nights.map {
      try DeliveryStatusInquiry(about: names, database: $0.database.connectionString).answers
    }
    #expect(try encoder.encode(statuses[0]) == encoder.encode(statuses[1]))
    try expectSameFindings(single, clustered)
  }

  @Test(
    "an outage is known, and attempts count as their records that apply", arguments: Place.allCases)
  func failures(on place: Place) throws {
    let night = try Self.night(on: place)
    night.settings.booksBegin = "2020-01-01T00:00:00Z"
    try night.catalogue("product_id\nbook")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n1 | book | 2026-11-10 10:00")
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status  | server | account_id | revision
      D1          | 1              | book       | 2026-11-10 11:00 | failed  | eu     | anna       |
      D2          | 92             | book       | 2026-11-10 11:10 | failed  | eu     | ben        |
      D3          | 93             | book       | 2026-11-10 11:20 | failed  | eu     | cleo       |
      D3          | 93             | book       | 2026-11-10 11:20 | failed  | eu     | cleo       | 1
      D4          | 94             | book       | 2026-11-10 11:30 | failed  | eu     | dora       |
      D4          | 94             | book       | 2026-11-10 11:30 | failed  | us     | dora       | 1
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let database = night.database.connectionString
    let status = try DeliveryStatusInquiry(about: ["1"], database: database).answers.first
    #expect(status?.consumptionRequest?.deliveryStatus == "UNDELIVERED_SERVER_OUTAGE")
    let overview = try Inquiry(about: "eu", database: database).explanation.overview
    #expect(overview?.sentence.contains("2 other attempts failed") == true)
  }

  @Test("a closed period that has changed is explained with files", arguments: Place.allCases)
  func changedPeriod(on place: Place) throws {
    let night = try Self.night(on: place)
    night.settings.booksBegin = "2020-01-01T00:00:00Z"
    night.settings.singleSigner = true
    try night.catalogue("product_id\nbook")
    let first = TestNight.sales + "1 | book | 2026-10-10 10:00 | 1.00 | USD | 2026-10-10 10:00 |"
    try night.transactions(first)
    try night.run(asOf: "2026-11-02 03:00")
    let period = "2026-10-01..2026-10-15"
    _ = try ClosingActs.of(night).close(Period(period))
    _ = try ClosingActs.of(night).approve(Period(period))
    try night.transactions(
      TestNight.sales + "2 | book | 2026-10-12 10:00 | 5.00 | USD | 2026-10-12 10:00 |")
    try night.run(asOf: "2026-11-03 03:00")
    try FindingEvidenceTests.expectEvidence("certificate_withdrawn", in: night)
    let overview = try Inquiry(
      about: "\(period) book USD", database: night.database.connectionString
    ).explanation.overview
    #expect(overview?.facts.contains { $0.file != nil } == true)
  }

  /// Acknowledges, lists and reopens findings of both, and compares the lists.
  private func expectSameFindings(_ one: TestNight, _ other: TestNight) throws {
    func lists(_ filter: FindingList.Filter) throws -> [[FindingList.Row]] {
      try [one, other].map {
        try FindingList(database: $0.database.connectionString).rows(filter).rows
      }
    }
    var filter = FindingList.Filter()
    let open = try lists(filter)
    #expect(open[0] == open[1])
    let product = try #require(
      try one.database.connect().run(
        "select min(product_id) from tieout.recorded_product", step: "test"
      ).first)
    filter.products = [product]
    let ofProduct = try lists(filter)
    #expect(ofProduct[0] == ofProduct[1])
    let names = open[0].prefix(2).map(\.name)
    for night in [one, other] {
      let acts = try FindingActs(
        settings: night.settings, database: night.database.connectionString, person: "eva")
      #expect(try acts.acknowledge(names, because: "known", until: nil).map(\.name) == names)
      #expect(try acts.reopen([names[0]]).map(\.name) == [names[0]])
    }
    let acknowledged = try lists(FindingList.Filter()).map { rows in
      rows.map { [$0.name, $0.status, $0.acknowledgement?.because ?? ""] }
    }
    #expect(acknowledged[0] == acknowledged[1])
    #expect(acknowledged[0].count { $0[1] == "acknowledged" } == 1)
  }
}

import Configuration
import DamageTestSupport
import ReconciliationTestSupport
import Testing

@Suite("Transactions with one statement and with several")
struct LoneEvidenceTests {
  private static let transactions = "select * from store_transaction order by transaction_id"

  @Test("the statement of a transaction is its merge until there is another one")
  func moves() throws {
    let night = try TestNight()
    let header = "transaction_id | product_id | purchased_at     | told_at          | account_id\n"
    let counts = """
      select
          (select count(*) from lone_evidence) as lone,
          (select count(*) from differing_evidence) as differing,
          (select count(*) from merged_transaction) as merged,
          (select count(*) from store_transaction) as all
      """
    for (row, expected) in [
      ("1 | book | 2026-11-01 10:00 | 2026-11-02 10:00 | a", "1 | 0 | 0 | 1"),
      // The same statement, in older evidence.
      ("1 | book | 2026-11-01 10:00 | 2026-11-01 10:00 | a", "1 | 0 | 0 | 1"),
      ("2 | book | 2026-11-01 10:00 | 2026-11-02 10:00 | a", "2 | 0 | 0 | 2"),
      ("1 | book | 2026-11-01 10:00 | 2026-11-02 10:00 | b", "1 | 2 | 1 | 2"),
      ("1 | book | 2026-11-01 10:00 | 2026-11-02 10:00 | c", "1 | 3 | 1 | 2"),
      // The statement that was the only one, again.
      ("1 | book | 2026-11-01 10:00 | 2026-11-03 10:00 | a", "1 | 3 | 1 | 2"),
    ] {
      try night.transactions(header + row)
      try night.run(asOf: "2026-11-20 03:00")
      try night.expect(query: counts, gives: "lone | differing | merged | all\n\(expected)")
    }
  }

  @Test("a signed statement stops being the merge when the unsigned ones count again")
  func countedAgain() throws {
    let night = try TestNight()
    let counts = """
      select
          (select count(*) from lone_evidence) as lone,
          (select count(*) from differing_evidence) as differing,
          (select count(*) from merged_transaction) as merged,
          (select string_agg(product_id, ', ') from store_transaction) as products
      """
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | told_at
      1              | book       | 2026-11-01 10:00 | 2026-11-01 11:00
      """)
    try night.run(asOf: "2026-11-10 03:00")
    night.settings.trust = .signed
    try night.signed(
      """
      transaction_id | product_id | purchased_at     | signed_at
      1              | comic      | 2026-11-01 10:00 | 2026-11-02 11:00
      """)
    try night.run(asOf: "2026-11-11 03:00")
    try night.expect(
      query: counts, gives: "lone | differing | merged | products\n1 | 1 | 0 | comic")
    night.settings.trust = .appleResponse
    try night.run(asOf: "2026-11-12 03:00")
    try night.expect(
      query: counts, gives: "lone | differing | merged | products\n0 | 2 | 1 | comic")
  }

  @Test(
    "with any order of statements and settings of trust, transactions are those of a rebuild",
    arguments: RandomCases.seeds(1))
  func trust(seed: UInt64) throws {
    var dice = Dice(seed &* 7919)
    let night = try TestNight()
    for day in 1...6 {
      for _ in 1...2 {
        let row =
          "\(Int.random(in: 1...3, using: &dice)) | \(["book", "comic"].randomElement(using: &dice) ?? "")"
          + " | 2026-10-0\(Int.random(in: 1...2, using: &dice)) 10:00 | 2026-11-0\(day) 10:00"
        if Bool.random(using: &dice) {
          try night.signed("transaction_id | product_id | purchased_at | signed_at\n\(row)")
        } else {
          try night.transactions("transaction_id | product_id | purchased_at | told_at\n\(row)")
        }
      }
      night.settings.trust = Bool.random(using: &dice) ? .signed : .appleResponse
      try night.run(asOf: "2026-11-1\(day) 03:00")
      try night.expect(
        query: """
          select count(*) as wrong
          from lone_evidence
          inner join merged_transaction using (environment_code, transaction_number)
          """, gives: "wrong\n0")
    }
    let before = try night.database.draw(Self.transactions)
    try night.rebuild()
    let rebuilt = try night.database.draw(Self.transactions)
    #expect(before == rebuilt, "seed \(seed)")
  }
}

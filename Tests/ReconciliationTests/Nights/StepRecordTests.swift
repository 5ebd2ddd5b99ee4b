import Configuration
import PostgreSQL
import ReconciliationTestSupport
import Testing
@testable import Runs

@Suite("The record of a run's steps")
struct StepRecordTests {
  private static func night() throws -> TestNight {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-10 10:00
      2              | book       | 2026-11-11 10:00
      """)
    return night
  }

  private static func value(_ sql: String, in night: TestNight) throws -> String? {
    try night.database.connect().run(sql, step: "ask").first
  }

  @Test("all steps of a night are recorded in one order, from the schema to the vacuum")
  func whole() throws {
    let night = try Self.night()
    try night.run(asOf: "2026-11-20 03:00")
    let steps = try night.database.connect().run(
      "select step, step_number from tieout.run_step order by step_number", step: "ask")
    let names = steps.values.map { $0[0] ?? "" }
    #expect(names.prefix(4) == ["schema", "recover", "empty staging", "read"])
    #expect(names.suffix(4) == ["commit", "publish", "empty staging", "vacuum"])
    #expect(names.contains("load_evidence") && names.contains("findings_live"))
    #expect(steps.values.map { $0[1] ?? "" } == (1...names.count).map { "\($0)" })
  }

  @Test("the step read has the record count of the control totals and the byte count of the files")
  func reading() throws {
    let night = try Self.night()
    try night.put("{\"status\": 21003}\n", at: "receipts/odd.ndjson")
    try night.run(asOf: "2026-11-20 03:00")
    let read = "from tieout.run_step where step = 'read'"
    #expect(
      try Self.value("select row_count \(read)", in: night)
        == Self.value(
          """
          select sum(value) from tieout.run_count where measure = 'read' and section <> 'files'
          """, in: night))
    #expect(
      try Self.value("select byte_count \(read)", in: night)
        == Self.value("select sum(bytes) from tieout.inbox_path", in: night))
  }

  @Test("the row count of a step covers all its SQL statements, not only the last one")
  func rows() throws {
    let night = try Self.night()
    try night.clientLog(
      """
      transaction_id | product_id | state     | transaction_date
      1              | book       | purchased | 2026-11-10 10:00
      """)
    try night.run(asOf: "2026-11-20 03:00")
    // One row is found to be new and is inserted. The file ends with SQL statements that write no
    // row.
    #expect(
      try Self.value("select row_count from tieout.run_step where step = 'load_client'", in: night)
        == "2")
    #expect(
      try Self.value(
        "select byte_count from tieout.run_step where step = 'report_findings'", in: night)
        == "\(night.report("findings.csv").utf8.count)")
  }

  @Test("the steps of a run with too many rejections outlive its transaction")
  func rejected() throws {
    let night = try Self.night()
    try night.put("{\"status\": 21003}\n", at: "receipts/odd.ndjson")
    night.settings.maxRejected = .count(0)
    #expect(throws: ReconciliationError.self) { try night.run(asOf: "2026-11-20 03:00") }
    try night.expect(
      query: """
        select outcome, (array_agg(step order by step_number desc))[1] as last,
            count(*) = max(step_number) as whole,
            (select count(*) from store_transaction) as transactions
        from run inner join run_step using (run_id) group by run_id
        """,
      gives: "outcome | last | whole | transactions\nrejected | load_rejection | t | 0")
  }

  @Test("the record ends with the step in which the run failed")
  func failed() throws {
    let night = try Self.night()
    try night.run(asOf: "2026-11-20 03:00")
    let database = try night.database.connect()
    try database.run(
      "alter table tieout.client_invalid_product rename to elsewhere", step: "break")
    #expect(throws: PostgreSQLError.self) { try night.run(asOf: "2026-11-21 03:00") }
    try night.expect(
      query: """
        select outcome, (array_agg(step order by step_number desc))[1] as last
        from run inner join run_step using (run_id) where run_id = 2 group by run_id
        """,
      gives: "outcome | last\nfailed | affected records")
  }

  @Test("a dry run keeps no record of its steps")
  func dryRun() throws {
    let night = try Self.night()
    night.settings.dryRun = true
    try night.run(asOf: "2026-11-20 03:00")
    #expect(try Self.value("select count(*) from tieout.run_step", in: night) == "0")
  }

  @Test("a run expects the usual time of its step and of all later steps")
  func usual() throws {
    let names = ["a", "b", "c", "d", "e", "f"]
    let all = names.enumerated().map { (name: $1, milliseconds: Int64(1000) << Int64($0)) }
    // Every set of steps that a run may take, with a new step after each one.
    for choice in 0..<(1 << names.count) {
      var usual = UsualSteps(all)
      for (index, step) in all.enumerated() where choice & 1 << index != 0 {
        let later = all[(index + 1)...].reduce(0) { $0 + Double($1.milliseconds) / 1000 }
        let expected = RunProgress.Usual(step: Double(step.milliseconds) / 1000, later: later)
        #expect(usual.enter(step.name) == expected)
        #expect(usual.enter("new") == RunProgress.Usual(step: nil, later: later))
      }
    }
    var nothing = UsualSteps()
    #expect(nothing.enter("a") == nil)
  }

  @Test("the usual times are those of the newest run of the same kind that is done and no rebuild")
  func newest() throws {
    let night = try Self.night()
    try night.run(asOf: "2026-11-20 03:00")
    let database = try night.database.connect()
    try database.run("update tieout.run_step set milliseconds = 1000 * run_id", step: "set")
    try night.run(asOf: "2026-11-19 03:00")
    night.settings.maxRejected = .count(0)
    try night.put("{\"status\": 21003}\n", at: "receipts/odd.ndjson")
    #expect(throws: ReconciliationError.self) { try night.run(asOf: "2026-11-21 03:00") }
    try night.rebuild()
    try database.run("update tieout.run_step set milliseconds = 1000 * run_id", step: "set")
    var usual = try UsualSteps(of: database, isOfPastDay: false)
    #expect(usual.enter("schema")?.step == 1)
    usual = try UsualSteps(of: database, isOfPastDay: true)
    #expect(usual.enter("schema")?.step == 2)
  }
}

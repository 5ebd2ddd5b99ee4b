import DamageTestSupport
import Foundation
import Glibc
import ReconciliationTestSupport
import Reports
import TestNeeds
import Testing

@Suite("A run that is killed") struct KilledTests {
  @Test("a run that is killed at any time leaves nothing half done, and the next run completes it")
  func anyMoment() throws {
    let untouched = try CommandNight(hasTables: false)
    try untouched.putSample()
    let start = ContinuousClock.now
    try #require(try untouched.run().status == 2)
    let microseconds = Int((ContinuousClock.now - start) / .microseconds(1))

    let command = try CommandNight(hasTables: false)
    try command.putSample()
    let kills = RandomCases.count(orElse: 8)
    for number in 0..<kills {
      let program = try command.start(command.words([]))
      usleep(UInt32(microseconds * (2 * number + 1) / (2 * kills)))
      program.send(SIGKILL)
      _ = try program.ended()
    }
    let last = try command.run()
    #expect([0, 2].contains(last.status), "\(last.errors)")

    #expect(try command.run().status == 0)
    #expect(try command.publishedNames() == ["2026-11-20", "editions.txt", "index.html", "latest"])
    #expect(try command.files() == untouched.files())
    for table in Self.tables {
      #expect(try command.night.database.draw(table) == untouched.night.database.draw(table))
    }
    let runs = try command.start(["runs", "--database", command.night.database.connectionString])
      .ended()
    #expect(runs.output.contains("killed"))
    #expect(!runs.output.contains("running"))
  }

  @Test("the next run publishes the reports of a run that was killed after its commit")
  func afterCommit() throws {
    let untouched = try CommandNight()
    try untouched.putGoodNight()
    try #require(try untouched.run().status == 0)

    let command = try CommandNight()
    try command.putGoodNight()
    let barrier = try Barrier(.committing, in: command)
    let program = try command.start(command.words([]))
    #expect(try barrier.isReached())
    program.send(SIGKILL)
    _ = try program.ended()
    // The server does not notice the kill and completes the commit.
    try barrier.remove()
    #expect(
      try eventually {
        try command.value("select outcome from tieout.run") == "done"
      })
    #expect(try command.publishedNames() == [".2026-11-20.being-written"])

    let next = try command.run(asOf: "2026-11-21T03:00:00Z")
    #expect(next.status == 0)
    #expect(next.errors.contains("The reports of 2026-11-20 were not published by their run"))
    #expect(
      try command.publishedNames() == [
        "2026-11-20", "2026-11-21", "editions.txt", "index.html", "latest",
      ])
    #expect(try command.files(of: "2026-11-20") == untouched.files(of: "2026-11-20"))
    #expect(try command.value("select bool_and(is_published) from tieout.run") == "t")
  }

  @Test(
    "the run after one that was killed after its commit has the exit status of both",
    arguments: [("never", 2), ("new-warning", 1)], [false, true])
  func statusOfBoth(_ expected: (failOn: String, status: Int32), isQuiet: Bool) throws {
    let (failOn, status) = expected
    let command = try CommandNight()
    try command.putGoodNight()
    try command.putBadRecord()
    // A purchase that nobody delivered.
    try command.night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      102            | book.emma  | 2026-11-18 11:00 | bert
      """)
    let barrier = try Barrier(.committing, in: command)
    let program = try command.start(command.words(["--fail-on", failOn]))
    #expect(try barrier.isReached())
    program.send(SIGKILL)
    _ = try program.ended()
    try barrier.remove()
    #expect(
      try eventually {
        try command.value("select outcome from tieout.run") == "done"
      })

    let next = try command.start(
      command.words(["--fail-on", failOn] + (isQuiet ? ["--quiet"] : []))
    ).ended()
    #expect(next.status == status)
    #expect(
      (isQuiet ? next.errors : next.output).contains(
        """
        An earlier run of 2026-11-20 did not publish its reports; this run has published them. The earlier run found \
        0 new errors and 1 new warning, and rejected 1 record.
        """))
    if isQuiet, failOn == "new-warning" {
      #expect(
        next.errors.contains(
          "of level warning or error opened in this run or in an earlier run that could not report it."
        ))
    }
    #expect(try command.run("--fail-on", failOn).status == 0)
  }

  @Test("what a run found that was killed after it published its reports is said by the next run")
  func afterPublication() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.putBadRecord()
    let barrier = try Barrier(.showing, in: command)
    let program = try command.start(command.words(["--quiet"]))
    #expect(try barrier.isReached())
    program.send(SIGKILL)
    #expect(try program.ended().errors == "")
    try barrier.remove()
    #expect(
      try eventually { try command.value("select is_published from tieout.run") == "t" })

    // Neither a dry run nor another failure says it in place of the next run.
    _ = try command.run("--quiet", "--dry-run")
    let sentence = """
      An earlier run of 2026-11-20 published its reports but did not print its summary. The earlier run found \
      0 new errors and 0 new warnings, and rejected 1 record.
      """
    for isLast in [false, true] {
      let next = try command.run("--quiet")
      #expect(next.status == (isLast ? 0 : 2), "\(next.errors)")
      #expect(next.errors.contains(sentence) == !isLast, "\(next.errors)")
    }
    #expect(try command.value("select bool_and(is_reported) from tieout.run") == "t")
  }

  @Test("what a run found whose summary could not be printed is said by the next run")
  func notPrinted() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.putBadRecord()
    let ended = try command.run(prefix: ["/bin/sh", "-c", "exec \"$0\" \"$@\" >/dev/full"])
    #expect(ended.errors.contains("its output could not be written"), "\(ended.errors)")
    #expect(try command.value("select is_reported from tieout.run") == "f")
    let next = try command.run("--quiet")
    #expect(next.status == 2)
    #expect(next.errors.contains("and rejected 1 record."), "\(next.errors)")
  }

  @Test("a quiet command that ends with 0 leaves what an earlier run found to the next run")
  func quietWithoutFindings() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.putBadRecord()
    try #require(try command.run().status == 2)
    try command.change("update tieout.run set is_reported = false")
    let places = [
      "--quiet", "--reports", command.night.reports.path,
      "--database", command.night.database.connectionString,
    ]
    let rebuild = ["rebuild", "--inbox", command.night.inbox.path]
    for words in [["recompute"], rebuild, ["forget", "anna"]] {
      let ended = try command.start(words + places).ended()
      #expect(ended.status == 0 && ended.errors == "", "\(words[0]): \(ended.errors)")
      let unreported = try command.value(
        "select string_agg(run_id::text, ' ') from tieout.run where not is_reported")
      #expect(unreported == "1", "\(words[0])")
    }
    let next = try command.run("--quiet")
    #expect(next.status == 2)
    let sentence = """
      An earlier run of 2026-11-20 published its reports but did not print its summary. The earlier run found \
      0 new errors and 0 new warnings, and rejected 1 record.
      """
    #expect(next.errors.contains(sentence), "\(next.errors)")
    #expect(try command.value("select bool_and(is_reported) from tieout.run") == "t")
  }

  @Test("reports that wait for their disk are not written into the empty place of the disk")
  func notMounted() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let reports = command.night.reports
    let disk = command.night.folder.appending(path: "disk")
    #expect(try command.run().status == 0)
    let barrier = try Barrier(.committing, in: command)
    let program = try command.start(command.words([], asOf: "2026-11-21T03:00:00Z"))
    #expect(try barrier.isReached())
    try FileManager.default.moveItem(at: reports, to: disk)
    try barrier.remove()
    #expect(try program.ended().status == 73)

    try FileManager.default.createDirectory(at: reports, withIntermediateDirectories: false)
    let next = try command.run("--quiet", asOf: "2026-11-22T03:00:00Z")
    #expect(next.status == 1)
    #expect(next.errors.contains("had no editions, although this database has published there"))
    #expect(try command.publishedNames().contains("2026-11-22"))
    #expect(try !command.publishedNames().contains("2026-11-21"))

    // The disk is back, without the night that was published in its place.
    try FileManager.default.removeItem(at: reports)
    try FileManager.default.moveItem(at: disk, to: reports)
    let back = try command.run("--quiet", asOf: "2026-11-23T03:00:00Z")
    #expect(back.status == 1)
    #expect(
      back.errors.contains("was of 2026-11-21, although this database has published there for"))
    #expect(try command.publishedNames().contains("2026-11-21"))
  }

  @Test("a run that cannot publish ends with 73, and a run from any folder publishes its reports")
  func cannotShow() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let elsewhere = command.night.folder.appending(path: "elsewhere")
    try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: false)
    let barrier = try Barrier(.committing, in: command)
    let program = try command.start(command.words(["--reports", "reports"]))
    #expect(try barrier.isReached())
    let away = command.night.folder.appending(path: "away").path
    try FileManager.default.moveItem(atPath: command.night.reports.path, toPath: away)
    try barrier.remove()
    let ended = try program.ended()
    #expect(ended.status == 73)
    #expect(ended.errors.contains("cannot be renamed"))
    #expect(ended.errors.contains("is stored. Correct this; the next run publishes the reports."))
    try FileManager.default.moveItem(atPath: away, toPath: command.night.reports.path)

    let next = try command.run(
      "--reports", command.night.folder.appending(path: "other").path,
      asOf: "2026-11-21T03:00:00Z", prefix: ["env", "--chdir=\(elsewhere.path)"])
    #expect(next.status == 0)
    // Only a night in the same folder writes its calendar.
    #expect(try command.publishedNames() == ["2026-11-20", "editions.txt", "latest"])
    #expect(try command.files(of: "2026-11-20").count == Report.all.count + 4)
  }

  /// The contents of the tables, without the identifiers that a killed run uses up.
  private static let tables = [
    "select * from store_transaction order by environment, transaction_id",
    """
    select environment, transaction_id, content_hash, evidence_at, path, line
    from evidence join input_file using (file_id)
    order by environment, transaction_id, content_hash
    """,
    """
    select delivery_id, content_hash, status, occurred_at, path, line
    from delivery_record join input_file using (file_id) order by delivery_id, content_hash
    """,
    """
    select product_id, member, currency, storefront, price_from, value
    from catalogue_fact order by 1, 2, 3, 4, 5, 6
    """,
    """
    select rule, environment, subject, level, reason, detail, status, first_flagged_on
    from finding order by rule, environment, subject
    """,
    "select path, line, kind, reason, detail, excerpt from rejection order by 1, 2, 3, 4",
    "select folder, path, sha256, bytes, is_rejected from input_file order by folder, path",
    "select document_hash, path, line from document join input_file using (file_id) order by 1",
  ]
}

extension CommandNight {
  /// Replaces the inbox with a copy of the sample's inbox.
  func putSample() throws {
    try FileManager.default.removeItem(at: night.inbox)
    try FileManager.default.copyItem(
      at: SampleNight.folder.appending(path: "inbox"), to: night.inbox)
  }
}

import Configuration
import Foundation
import NightRun
import PostgreSQL
import ReconciliationTestSupport
import Reports
import Runs
import Testing

@Suite("Closing after a killed command or a withdrawal")
struct RepeatedClosingTests {
  private let october: Period

  init() throws { october = try Period("2026-10") }

  private static func message(_ body: () throws -> Void) -> String {
    do { try body() } catch let error as ReconciliationError { return error.message } catch {
      return "another error: \(error)"
    }
    return "none"
  }

  @Test("a repeated approval writes the certificate that a killed one did not write")
  func certificate() throws {
    let night = try TestNight.october()
    _ = try ClosingActs.of(night).close(october)
    let approved = try ClosingActs.of(night).approve(october)
    let bytes = try Data(contentsOf: URL(filePath: approved.certificate))
    try FileManager.default.removeItem(atPath: approved.certificate)
    let again = try ClosingActs.of(night).approve(october)
    #expect(again.certificate == approved.certificate && again.approver == approved.approver)
    #expect(!again.isNew && again.certificateWasMissing)
    #expect(try Data(contentsOf: URL(filePath: approved.certificate)) == bytes)
  }

  @Test("a changed period is approved again even if the file of its earlier certificate is missing")
  func changedWithoutCertificate() throws {
    let night = try TestNight.october()
    func state() throws -> String {
      try night.database.draw("select state from period_state")
    }
    _ = try ClosingActs.of(night).close(october)
    let first = try ClosingActs.of(night).approve(october)
    let bytes = try Data(contentsOf: URL(filePath: first.certificate))
    try night.transactions(
      TestNight.sales + "3 | map  | 2026-10-12 10:00 | 4.00 | USD | 2026-10-12 10:00 |")
    try night.run(asOf: "2026-11-03 03:00")
    #expect(try state() == "state\nwithdrawn")
    try FileManager.default.removeItem(atPath: first.certificate)
    let second = try ClosingActs.of(night).approve(october)
    #expect(second.isNew && second.difference == "1 unit, USD 4.00")
    #expect(second.certificate.hasSuffix("certificate-2.json"))
    #expect(try state() == "state\ncertified")
    // The missing certificate is written too.
    #expect(try Data(contentsOf: URL(filePath: first.certificate)) == bytes)
  }

  @Test("a repeated closing shows the pack that a killed one left hidden")
  func pack() throws {
    let night = try TestNight.october()
    let closed = try ClosingActs.of(night).close(october)
    let hidden = night.reports.appending(path: "closed/.2026-10.being-written").path
    try FileManager.default.moveItem(atPath: closed.folder, toPath: hidden)
    let message = Self.message { _ = try ClosingActs.of(night).close(october) }
    #expect(message.contains("is shown now"), "\(message)")
    #expect(FileManager.default.fileExists(atPath: "\(closed.folder)/period.csv"))
    try FileManager.default.moveItem(atPath: closed.folder, toPath: hidden + ".gone")
    let gone = Self.message { _ = try ClosingActs.of(night).approve(october) }
    let advice = " The period stays closed. Set --reports to the folder in which it was closed,"
    #expect(gone.contains("\(closed.folder) is not there.\(advice)"), "\(gone)")
    // A folder without any packs.
    night.settings.reports = night.folder.path
    let elsewhere = Self.message { _ = try ClosingActs.of(night).approve(october) }
    #expect(elsewhere.contains("is not there.\(advice)"), "\(elsewhere)")
  }

  @Test("a hidden pack that is not the one of the closing is not shown")
  func otherHidden() throws {
    let night = try TestNight.october()
    let closed = try ClosingActs.of(night).close(october)
    let hidden = night.reports.appending(path: "closed/.2026-10.being-written")
    let files = FileManager.default
    try files.moveItem(atPath: closed.folder, toPath: hidden.path)
    let manifest = hidden.appending(path: "manifest.json")
    let bytes = try Data(contentsOf: manifest)
    // A command was killed before its commit: after it wrote the manifest, and before.
    for isWritten in [true, false] {
      if isWritten {
        try (bytes + [0x20]).write(to: manifest)
      } else {
        try files.removeItem(at: manifest)
      }
      try night.run(asOf: "2026-11-21 03:00")
      let again = Self.message { _ = try ClosingActs.of(night).close(october) }
      #expect(again.contains("2026-10 is closed already. If its amounts"), "\(again)")
      let approval = Self.message { _ = try ClosingActs.of(night).approve(october) }
      #expect(approval.contains("The period stays closed."), "\(approval)")
      #expect(!files.fileExists(atPath: closed.folder))
    }
    try bytes.write(to: manifest)
    try night.run(asOf: "2026-11-22 03:00")
    #expect(files.fileExists(atPath: "\(closed.folder)/period.csv"))
  }

  @Test("nothing is closed until the newest night has published the edition with its numbers")
  func unpublished() throws {
    let night = try TestNight.october()
    try night.transactions(
      TestNight.sales + "3 | map  | 2026-10-12 10:00 | 4.00 | USD | 2026-10-12 10:00 |")
    try night.run(asOf: "2026-11-03 03:00")
    try night.transactions(
      TestNight.sales + "4 | map  | 2026-10-13 10:00 | 8.00 | USD | 2026-10-13 10:00 |")
    let second = try #require(try night.run(asOf: "2026-11-03 12:00").runID)
    // The second run of the day was killed before it recorded its edition.
    try night.database.connect().run(
      "update tieout.run set is_published = false, edition = null where run_id = \(second)",
      step: "test")
    let message = Self.message { _ = try ClosingActs.of(night).close(october) }
    #expect(message.contains("as of 2026-11-03T12:00:00Z, has not recorded"), "\(message)")
    try night.expect(query: "select count(*) as n from period_closing", gives: "n\n0")
    let folder = night.reports.appending(path: "closed").path
    #expect(!FileManager.default.fileExists(atPath: folder))
    // The next run publishes it, and then has the newest numbers itself.
    try night.run(asOf: "2026-11-04 03:00")
    let closed = try ClosingActs.of(night).close(october)
    let manifest = try String(contentsOfFile: "\(closed.folder)/manifest.json", encoding: .utf8)
    #expect(manifest.contains(#""edition":"2026-11-04""#), "\(manifest)")
  }

  @Test("after a restore, a pack that the database does not know keeps its name")
  func restored() throws {
    let night = try TestNight.october()
    let lost = try ClosingActs.of(night).close(october)
    _ = try ClosingActs.of(night).approve(october)
    // The manifest of this night names the pack and its certificate.
    try night.run(asOf: "2026-11-03 03:00")
    // As if the database was restored from a backup that was made before the closing.
    try night.database.connect().run(
      """
      set session_replication_role = replica;
      delete from tieout.period_approval;
      delete from tieout.period_amount;
      delete from tieout.period_closing
      """, step: "test")
    let again = try ClosingActs.of(night).close(october)
    #expect(again.folder == "\(lost.folder).2")
    _ = try ClosingActs.of(night).approve(october)
    try night.run(asOf: "2026-11-04 03:00")
    #expect(try FolderProof(night.reports.path).check().packs == 2)
    // As if the backup had the closing, and not its approval.
    try night.database.connect().run(
      "set session_replication_role = replica; delete from tieout.period_approval", step: "test")
    let message = Self.message { _ = try ClosingActs.of(night).approve(october) }
    #expect(message.contains("certificate-1.json is there already"), "\(message)")
    #expect(try FolderProof(night.reports.path).check().packs == 2)
    try ClosingActs.of(night).reopen(october, because: "a test")
    #expect(try ClosingActs.of(night).close(october).folder == "\(lost.folder).3")
    _ = try ClosingActs.of(night).approve(october)
  }

  @Test("a period is not closed into a reports folder that lacks the newest edition")
  func lackingEdition() throws {
    let night = try TestNight()
    try night.run(asOf: "2026-11-18 03:00")
    try night.restoringReports { try night.run(asOf: "2026-11-20 03:00") }
    let error = #expect(throws: ReconciliationError.self) {
      try ClosingActs.of(night).close(Period("2026-10"))
    }
    #expect("\(try #require(error))".contains("has no edition 2026-11-20, whose numbers"))
  }

  @Test("a period is not closed into the reports folder of another database")
  func otherDatabase() throws {
    let (night, other) = (try TestNight.october(), try TestNight.october(asOf: "2026-11-02 04:00"))
    let own = night.settings.reports
    night.settings.reports = other.settings.reports
    let message = Self.message { _ = try ClosingActs.of(night).close(october) }
    #expect(message.contains("was not published from this database, so nothing"), "\(message)")
    let folder = other.reports.appending(path: "closed").path
    #expect(!FileManager.default.fileExists(atPath: folder))
    night.settings.reports = own
    _ = try ClosingActs.of(night).close(october)
  }

  @Test("the next night writes the files that a killed closing or approval did not write")
  func nextNight() throws {
    let night = try TestNight.october()
    let closed = try ClosingActs.of(night).close(october)
    let hidden = night.reports.appending(path: "closed/.2026-10.being-written").path
    let files = FileManager.default
    try files.moveItem(atPath: closed.folder, toPath: hidden)
    night.settings.dryRun = true
    try night.run(asOf: "2026-11-21 03:00")
    night.settings.dryRun = false
    #expect(!files.fileExists(atPath: closed.folder))
    try night.run(asOf: "2026-11-21 03:00")
    #expect(files.fileExists(atPath: "\(closed.folder)/period.csv"))

    let approved = try ClosingActs.of(night).approve(october)
    let bytes = try Data(contentsOf: URL(filePath: approved.certificate))
    try files.removeItem(atPath: approved.certificate)
    try night.run(asOf: "2026-11-22 03:00")
    #expect(try Data(contentsOf: URL(filePath: approved.certificate)) == bytes)

    // A folder without the packs gets no certificates.
    try files.removeItem(atPath: approved.certificate)
    try files.moveItem(atPath: closed.folder, toPath: hidden + ".gone")
    try night.run(asOf: "2026-11-23 03:00")
    #expect(!files.fileExists(atPath: approved.certificate))
  }

  @Test("a reopening shows the pack and writes the certificate that killed commands left")
  func reopened() throws {
    let night = try TestNight.october()
    let closed = try ClosingActs.of(night).close(october)
    let hidden = night.reports.appending(path: "closed/.2026-10.being-written").path
    let files = FileManager.default
    try files.moveItem(atPath: closed.folder, toPath: hidden)
    try ClosingActs.of(night).reopen(october, because: "a test after a kill")
    #expect(files.fileExists(atPath: "\(closed.folder)/period.csv"))

    let again = try ClosingActs.of(night).close(october)
    #expect(again.previous?.closing.pack == "2026-10")
    let approved = try ClosingActs.of(night).approve(october)
    let bytes = try Data(contentsOf: URL(filePath: approved.certificate))
    try files.removeItem(atPath: approved.certificate)
    try ClosingActs.of(night).reopen(october, because: "ticket 31")
    #expect(try Data(contentsOf: URL(filePath: approved.certificate)) == bytes)

    // A damaged pack gets no certificate, and the period is reopened all the same.
    let damaged = try ClosingActs.of(night).close(october)
    let last = try ClosingActs.of(night).approve(october)
    try files.removeItem(atPath: last.certificate)
    try Data().write(to: URL(filePath: "\(damaged.folder)/period.csv"))
    try ClosingActs.of(night).reopen(october, because: "a damaged pack")
    #expect(!files.fileExists(atPath: last.certificate))
    try night.expect(
      query: "select count(*) as n from period_state where state = 'reopened'", gives: "n\n3")
  }

  @Test("a period that is closed again names its earlier pack, the reason and the difference")
  func previous() throws {
    let night = try TestNight.october()
    let first = try ClosingActs.of(night).close(october)
    #expect(first.previous == nil)
    let manifest = try String(contentsOfFile: "\(first.folder)/manifest.json", encoding: .utf8)
    #expect(manifest.contains(#""previous":null"#))
    try ClosingActs.of(night).reopen(october, because: "a receipt was missing")
    let same = try #require(try ClosingActs.of(night).close(october).previous)
    #expect(same.closing.pack == "2026-10" && same.difference == nil)
    try ClosingActs.of(night).reopen(october, because: "ticket 31")
    try night.transactions(
      TestNight.sales + """
        3 | map  | 2026-10-12 10:00 | 4.00 | USD | 2026-10-12 10:00 |
        1 | book | 2026-10-10 10:00 | 1.00 | USD | 2026-11-02 10:00 | 2026-10-30 10:00
        """)
    try night.run(asOf: "2026-11-03 03:00")
    let again = try ClosingActs.of(night).close(october)
    let previous = try #require(again.previous)
    #expect(previous.closing.pack == "2026-10.2" && previous.closing.because == "ticket 31")
    #expect(previous.closing.preparer == again.person && previous.closing.reopener == again.person)
    #expect(
      previous.difference
        == "0 units, USD 3.00 (sold 1 unit, USD 4.00; refunded 1 unit, USD 1.00)")
    let text = try String(contentsOfFile: "\(again.folder)/manifest.json", encoding: .utf8)
    #expect(
      text.contains(
        #""previous":{"difference":[{"currency":"USD","gross":"4.00","net":"3.00","#
          + #""price_source":"receipt","products":2,"refunds":"1.00","units":0,"#
          + #""units_refunded":1,"units_sold":1,"units_upgraded":0}],"#
          + #""pack":"2026-10.2","pack_sha256":""#))
    #expect(text.contains(#""reopened_because":"ticket 31""#))
  }

  @Test("a month that is closed again in two halves names the pack of the month in both")
  func halves() throws {
    let night = try TestNight.october()
    let whole = try ClosingActs.of(night).close(october)
    #expect(whole.overlapping.isEmpty)
    try ClosingActs.of(night).reopen(october, because: "two halves")
    for days in ["2026-10-01..2026-10-15", "2026-10-16..2026-10-31"] {
      let half = try ClosingActs.of(night).close(Period(days))
      #expect(half.previous == nil)
      let earlier = try #require(half.overlapping.first)
      #expect(half.overlapping.count == 1)
      #expect(earlier.closing.pack == "2026-10" && earlier.closing.because == "two halves")
      #expect(earlier.days == ("2026-10-01", "2026-10-31"))
      let manifest = try String(contentsOfFile: "\(half.folder)/manifest.json", encoding: .utf8)
      #expect(
        manifest.contains(#""overlapping":[{"first_day":"2026-10-01","last_day":"2026-10-31","#))
      #expect(manifest.contains(#""reopened_because":"two halves""#))
    }
    // The days of a later month were in no other period.
    try night.run(asOf: "2026-12-02 03:00")
    #expect(try ClosingActs.of(night).close(Period("2026-11")).overlapping.isEmpty)
  }

  @Test("an approved period that has not changed is not approved again")
  func approvedAlready() throws {
    let night = try TestNight.october()
    _ = try ClosingActs.of(night).close(october)
    let first = try ClosingActs.of(night).approve(october)
    let again = try ClosingActs.of(night).approve(october)
    #expect(first.isNew && !again.isNew)
    #expect(again.certificate == first.certificate && again.approvedAt == first.approvedAt)
    #expect(again.approver == first.approver)
    // A pack that was changed is reported all the same.
    let file = night.reports.appending(path: "closed/2026-10/period.csv")
    let bytes = try Data(contentsOf: file)
    try (bytes + [0x20]).write(to: file)
    let message = Self.message { _ = try ClosingActs.of(night).approve(october) }
    #expect(message.contains("period.csv is not what was written"), "\(message)")
    try bytes.write(to: file)
    // One person closed and approved it, so an approval of another person says more.
    let server = try night.database.connect()
    let reviewer = "tieout_test_reviewer"
    try server.run(
      "drop role if exists \(reviewer); create role \(reviewer) login superuser", step: "person")
    defer { _ = try? server.run("drop role \(reviewer)", step: "person") }
    let other = try ClosingActs.of(night, as: reviewer).approve(october)
    #expect(other.isNew && other.approver == reviewer && other.preparer != reviewer)
    #expect(other.certificate.hasSuffix("certificate-2.json"))
    #expect(try !ClosingActs.of(night).approve(october).isNew)
    // A change is approved, however small it is.
    try night.transactions(
      TestNight.sales + "3 | map  | 2026-10-12 10:00 | 4.00 | USD | 2026-10-12 10:00 |")
    try night.run(asOf: "2026-11-03 03:00")
    let changed = try ClosingActs.of(night).approve(october)
    #expect(changed.isNew && changed.difference == "1 unit, USD 4.00")
  }

  @Test("the calendar leads to the packs of the periods that are closed")
  func packs() throws {
    let night = try TestNight.october()
    func links() throws -> [String] {
      try ClosingActs.of(night).showState()
      let page = try String(
        contentsOf: night.reports.appending(path: "index.html"), encoding: .utf8)
      return page.matches(of: /href="(closed\/[^"]*)"/).map { String($0.1) }
    }
    try night.run(asOf: "2026-10-31 03:00")
    try night.run(asOf: "2026-11-02 03:00")
    #expect(try links() == [])
    _ = try ClosingActs.of(night).close(october)
    #expect(try links() == ["closed/2026-10/"])
    try ClosingActs.of(night).reopen(october, because: "a test")
    #expect(try links() == [])
    // A part of the month is closed.
    _ = try ClosingActs.of(night).close(Period("2026-10-01..2026-10-15"))
    _ = try ClosingActs.of(night).close(Period("2026-10-16..2026-10-16"))
    #expect(
      try links() == ["closed/2026-10-01..2026-10-15/", "closed/2026-10-16..2026-10-16/"])
    try FileManager.default.moveItem(
      at: night.reports.appending(path: "closed/2026-10-16..2026-10-16"),
      to: night.folder.appending(path: "archived"))
    #expect(try links() == ["closed/2026-10-01..2026-10-15/"])
  }

  @Test("no period is closed or approved while a withdrawn file counts")
  func withdrawn() throws {
    let night = try TestNight.october()
    let file = try #require(
      FileManager.default.contentsOfDirectory(
        atPath: night.inbox.appending(path: "receipts").path
      ).first)
    func refused(_ body: () throws -> Void) throws {
      try night.withdraw("receipts/\(file)")
      let message = Self.message(body)
      #expect(message.hasPrefix("1 withdrawn file still counts"), "\(message)")
      try night.undoWithdrawal("receipts/\(file)")
    }
    try refused { _ = try ClosingActs.of(night).close(october) }
    _ = try ClosingActs.of(night).close(october)
    try refused { _ = try ClosingActs.of(night).approve(october) }
    _ = try ClosingActs.of(night).approve(october)
  }

  @Test("no period is closed or approved while no night has judged what a past day has loaded")
  func unjudged() throws {
    let night = try TestNight.october()
    func refused(_ sale: Int, _ body: () throws -> Void) throws {
      try night.transactions(
        TestNight.sales + "\(sale) | map | 2026-10-12 10:00 | 4.00 | USD | 2026-10-12 10:00 |")
      try night.run(asOf: "2026-10-31 03:00")
      let message = Self.message(body)
      #expect(message.hasPrefix("A run of a past day has loaded new files"), "\(message)")
      try night.run(asOf: "2026-11-0\(sale) 03:00")
    }
    try refused(3) { _ = try ClosingActs.of(night).close(october) }
    _ = try ClosingActs.of(night).close(october)
    try refused(4) { _ = try ClosingActs.of(night).approve(october) }
    #expect(try ClosingActs.of(night).approve(october).isNew)
    // It is approved, but whether it has changed since is not known.
    try refused(5) { _ = try ClosingActs.of(night).approve(october) }
  }
}

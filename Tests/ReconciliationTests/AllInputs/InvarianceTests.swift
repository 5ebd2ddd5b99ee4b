import DamageTestSupport
import Foundation
import Oracle
import ReconciliationTestSupport
import Reports
import Testing

@Suite("The same inputs and as-of give the same bytes")
struct InvarianceTests {
  @Test(
    "reports do not depend on how files are named, ordered, split and compressed",
    arguments: RandomCases.seeds(1))
  func inOtherFiles(seed: UInt64) throws {
    let input = RandomNight(seed: seed &+ 100, accounts: 40).input
    let one = try TestNight()
    try one.run(input, files: 1, seed: 1)
    let other = try TestNight()
    try other.run(input, files: 9, seed: seed &+ 2, gzip: true)
    try Statements(one, blanking: []).expectSame(
      as: Statements(other, blanking: []), "seed \(seed), one file of a kind against nine")
  }

  @Test(
    "reports do not depend on how input is split over nights, or on repeated records",
    arguments: RandomCases.seeds(1))
  func overNights(seed: UInt64) throws {
    let input = RandomNight(seed: seed &+ 200, accounts: 40).input
    let whole = try TestNight()
    try whole.run(input, files: 3, seed: 1)
    let split = try TestNight()
    let count = Int(2 + seed % 4)
    for (number, part) in input.nights(count, seed: seed).enumerated() {
      var part = part
      // Earlier nights have earlier as-of days. The last night has the as-of of the whole input.
      part.asOf = input.asOf - (count - 1 - number) * 86_400
      try split.run(part, files: 2, seed: seed &* 31 &+ UInt64(number))
    }
    try Statements(whole, blanking: ["first_flagged_on", "status"]).expectSame(
      as: Statements(split, blanking: ["first_flagged_on", "status"]),
      "seed \(seed), at once against over \(count) nights")
    #expect(try PublishedReports(split.reports).verify().proven == count, "seed \(seed)")
  }

  @Test(
    "reports do not change when everything arrives again under other names",
    arguments: RandomCases.seeds(1))
  func replayed(seed: UInt64) throws {
    let input = RandomNight(seed: seed &+ 300, accounts: 40).input
    let night = try TestNight()
    try night.run(input, files: 3, seed: 1)
    let before = try Statements(night, blanking: [])
    let count = """
      select
          (select count(*) from evidence) as evidence,
          (select count(*) from client_transaction) as entries,
          (select count(*) from client_invalid_product) as reports
      """
    let rows = try night.database.draw(count)
    // The same bytes under new names, and the same records in new files.
    for name in ["receipts", "deliveries", "catalog", "client"] {
      let copy = night.folder.appending(path: "copy-of-\(name)")
      try FileManager.default.copyItem(at: night.inbox.appending(path: name), to: copy)
      try FileManager.default.moveItem(
        at: copy, to: night.inbox.appending(path: "\(name)/again"))
    }
    try night.run(input, files: 4, seed: 99)
    try Statements(night, blanking: []).expectSame(as: before, "seed \(seed), replayed")
    #expect(try night.database.draw(count) == rows)
  }
}

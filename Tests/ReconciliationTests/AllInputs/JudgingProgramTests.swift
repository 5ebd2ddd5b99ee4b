import PostgreSQL
import ReconciliationTestSupport
import Testing
@testable import Rules

@Suite("Rows that another program carried forward are not used")
struct JudgingProgramTests {
  @Test("a different text of any file, function, SQL command or setting is another program")
  func everyPart() {
    let parts = JudgingProgram.parts
    #expect(JudgingProgram.fingerprint == JudgingProgram.fingerprint(of: parts))
    var fingerprints: Set = [JudgingProgram.fingerprint]
    for place in parts.indices {
      var changed = parts
      changed[place].text += " "
      fingerprints.insert(JudgingProgram.fingerprint(of: changed))
      changed.remove(at: place)
      fingerprints.insert(JudgingProgram.fingerprint(of: changed))
    }
    #expect(fingerprints.count == 2 * parts.count + 1)
    // A character moves from one part to the next.
    var moved = parts
    moved[1].text = String(moved[0].text.suffix(1)) + moved[1].text
    moved[0].text.removeLast()
    #expect(JudgingProgram.fingerprint(of: moved) != JudgingProgram.fingerprint)
  }

  @Test("each part has its own name, and all SQL commands and counted columns are parts")
  func complete() throws {
    let names = Set(JudgingProgram.parts.map(\.name))
    #expect(names.count == JudgingProgram.parts.count)
    for command in JudgingCommand.allCases {
      #expect(names.contains("\(command)"))
    }
    // A column that counts other parts than before would leave rows that no longer have a part.
    let counted = try #require(JudgingProgram.parts.first { $0.name == "counted columns" }).text
    for relation in CarriedRelation.whole + CarriedRelation.found {
      let lines = counted.split(separator: "\n").filter { $0.hasPrefix("\(relation.name) ") }
      #expect(lines.first == relation.count.map { Substring("\(relation.name) \($0)") })
    }
  }

  @Test(
    "after a change of the program, the next night judges everything and the one after it in part")
  func nextNight() throws {
    let night = try TestNight()
    try night.deliveries(
      "transaction_id | product_id | occurred_at\n1 | book.emma | 2026-11-18 10:00")
    try night.run(asOf: "2026-11-20 03:00")
    // A file and a command; each part has the same effect on the fingerprint.
    for (number, part) in ["judge_member", "addSums"].enumerated() {
      var earlier = JudgingProgram.parts
      let place = try #require(earlier.firstIndex { $0.name == part })
      earlier[place].text += "\n-- As it was in an earlier program."
      try night.database.connect().run(
        "update tieout.judged set fingerprint = $1", [JudgingProgram.fingerprint(of: earlier)],
        step: "test")
      // As-of only grows, because a night that is earlier may judge everything in any case.
      try night.run(asOf: "2026-12-\(10 + number) 01:00")
      #expect(try Self.judgedInPart(night) == "f", "\(part)")
      try night.run(asOf: "2026-12-\(10 + number) 13:00")
      #expect(try Self.judgedInPart(night) == "t", "\(part)")
    }
  }

  private static func judgedInPart(_ night: TestNight) throws -> String? {
    try night.database.connect().run(
      """
      select bool_or(step = 'judge before load')
      from tieout.run_step
      where run_id = (select max(run_id) from tieout.run)
      """, step: "test"
    ).first
  }
}

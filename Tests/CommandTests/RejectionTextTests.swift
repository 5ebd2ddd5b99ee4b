import Foundation
import ReconciliationTestSupport
import Testing

@Suite("Rejections in the summary") struct RejectionTextTests {
  @Test("the summary names the most frequent reasons with a place each, and the file with all")
  func reasons() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    try command.night.put("{\"status\":21003}\n{\"status\":21003}\n", at: "receipts/a.ndjson")
    try command.night.put("text\n", at: "receipts/b.txt")
    let ended = try command.run()
    #expect(ended.status == 2)
    #expect(
      ended.output.contains(
        """

        rejected        records  first in
        status_21003          2  receipts/a.ndjson:1
        unknown_format        1  receipts/b.txt
        What to do about each: \(command.night.reports.path)/2026-11-20/rejected_records.csv

        """), "\(ended.output)")
    // One sentence counts what could not be used: also files of earlier nights.
    #expect(ended.output.contains("1 file and 2 records could not be used."))
    #expect(ended.output.contains("0 open findings in 1 transaction.\n"))
  }

  @Test("the summary includes rejections that were counted but not kept")
  func counted() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let lines = String(repeating: "{\"status\":21003}\n", count: 30)
    try command.night.put(lines, at: "receipts/a.ndjson")
    let ended = try command.run(environment: ["TIEOUT_REJECTIONS_KEPT": "2"])
    #expect(
      ended.output.contains("status_21003       30  receipts/a.ndjson:1\n"), "\(ended.output)")
  }

  @Test("the summary does not say 0 open findings when no input could be used")
  func nothing() throws {
    let command = try CommandNight()
    for number in 1...15 { try command.night.put("text \(number)\n", at: "receipts/\(number).txt") }
    let ended = try command.run()
    #expect(ended.status == 2)
    #expect(ended.output.contains("unknown_format       15  receipts/1.txt\n"), "\(ended.output)")
    #expect(ended.output.contains("Nothing was compared: no record of the input could be used."))
    #expect(!ended.output.contains("0 open findings"))
    let empty = try CommandNight().run()
    #expect(empty.output.contains("Nothing was compared: there is no transaction."))
  }
}

import Foundation
import ReconciliationTestSupport
import Testing

@Suite("The text of an explanation around its first answer") struct ExplainedAnswerTests {
  private func explain(_ command: CommandNight, _ words: String...) throws -> [String] {
    let ended = try command.start(
      ["explain"] + words + ["--database", command.night.database.connectionString],
      environment: ["COLUMNS": "500"]
    ).ended()
    return ended.output.split(separator: "\n").map(String.init)
  }

  @Test("a suggested name that ends with a blank is in quotation marks")
  func blank() throws {
    let command = try CommandNight()
    try command.night.catalogue("product_id\nbook.emma")
    try command.night.put(
      """
      delivery_id,transaction_id,product_id,status,occurred_at
      D1,1,"map.paris ",delivered,2026-11-10T10:05:00Z

      """, at: "deliveries/blanks.csv")
    _ = try command.run()
    let lines = try explain(command, "ap.pari")
    #expect(lines.last == "Did you mean the product “map.paris ”?", "\(lines)")
  }
}

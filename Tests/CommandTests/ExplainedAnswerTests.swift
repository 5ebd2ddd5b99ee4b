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

  @Test("a restore has what followed it, also if the account or the purchase was asked for")
  func restore() throws {
    let command = try CommandNight()
    try command.night.catalogue("product_id\nbook\nfilm")
    try command.night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | account_id
      20             |                         | book       | 2026-11-03 08:00 | anna
      21             | 20                      | book       | 2026-11-15 08:00 | anna
      30             |                         | book       | 2026-11-03 08:00 | ben
      31             | 30                      | book       | 2026-11-15 08:00 | ben
      32             | 30                      | book       | 2026-11-16 08:00 | ben
      40             |                         | book       | 2026-11-03 08:00 | carl
      41             | 40                      | book       | 2026-11-15 08:00 | carl
      """)
    try command.night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status    | account_id | error
      D1          | 20             | book       | 2026-11-03 08:01 | delivered |            |
      D2          | 21             | film       | 2026-11-15 08:01 | delivered |            |
      D3          | 30             | book       | 2026-11-03 08:01 | delivered |            |
      D4          | 31             | book       | 2026-11-15 08:01 | failed    |            | E17 no rights
      D5          | 32             | book       | 2026-11-16 08:01 | delivered | other      |
      D6          | 40             | book       | 2026-11-03 08:01 | delivered |            |
      """)
    _ = try command.run()
    let wrong = "delivery D2 delivered film instead of book on 2026-11-15T08:01:00Z."
    let failed = "the last attempt (delivery D4) failed on 2026-11-15T08:01:00Z: E17 no rights."
    let other = "delivery D5 delivered it on 2026-11-16T08:01:00Z, to account other."
    for (name, expected) in [
      ("21", "21 is a restore of 2026-11-15T08:00:00Z; \(wrong)"),
      ("20", "21 is a restore of 2026-11-15T08:00:00Z; \(wrong)"),
      ("anna", "21 is a restore of 2026-11-15T08:00:00Z; \(wrong)"),
      ("31", "31 is a restore of 2026-11-15T08:00:00Z; \(failed)"),
      ("32", "32 is a restore of 2026-11-16T08:00:00Z; \(other)"),
      ("ben", "32 is a restore of 2026-11-16T08:00:00Z; \(other)"),
      ("carl", "41 is a restore of 2026-11-15T08:00:00Z; no delivery followed it."),
    ] {
      let lines = try explain(command, name)
      #expect(lines.filter { $0.contains(" is a restore of ") } == [expected], "\(name)")
    }
    #expect(try !explain(command, "D1").contains { $0.contains(" is a restore of ") })
  }

  @Test("a renewal is named if the account or the first purchase was asked for")
  func renewal() throws {
    let command = try CommandNight()
    try command.night.catalogue("product_id | type\nweekly | auto_renewable")
    try command.night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | account_id | web_order_line_item_id
      8              |                         | weekly     | 2026-11-03 08:00 | anna       | 91
      9              | 8                       | weekly     | 2026-11-10 08:00 | anna       | 92
      """)
    try command.night.deliveries(
      "delivery_id | transaction_id | product_id | occurred_at\nD1 | 8 | weekly | 2026-11-03 08:01")
    _ = try command.run()
    for name in ["8", "9", "92", "anna"] {
      #expect(
        try explain(command, name).contains("9 is the renewal of 2026-11-10T08:00:00Z."), "\(name)")
    }
    #expect(try !explain(command, "91").contains { $0.contains(" is the renewal of ") })
  }

  @Test("a delivery says for which missing delivery it is the best possible match")
  func askedDelivery() throws {
    let command = try CommandNight()
    try command.night.catalogue("product_id | type\ncoins | consumable\nbook |")
    try command.night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id | cancelled_at
      1              | coins      | 2026-11-10 09:00 | anna       |
      2              | coins      | 2026-11-10 10:00 | anna       |
      3              | book       | 2026-11-09 10:00 | ben        | 2026-11-12 10:00
      """)
    try command.night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | account_id | status
      D1          | 1              | coins      | 2026-11-10 10:05 | anna       | delivered
      D3          | 3              | book       | 2026-11-09 10:05 | ben        | delivered
      D4          | 3              | book       | 2026-11-09 10:06 | ben        | delivered
      """)
    _ = try command.run()
    let match = "D1 is the best possible match for the missing delivery of transaction 2."
    #expect(try explain(command, "D1").contains(match))
    #expect(try !explain(command, "1").contains { $0.contains(" is the best possible match ") })
    #expect(try explain(command, "D4").contains { $0.hasPrefix("D4 is another delivery of it, ") })
  }

  @Test("an ID of an account and of a transaction says which is which, and --as selects one")
  func severalRoles() throws {
    let command = try CommandNight()
    try command.night.catalogue("product_id\nbook\nfilm")
    try command.night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      55             | book       | 2026-11-10 10:00 | anna
      56             | film       | 2026-11-09 10:00 | 55
      57             | book       | 2026-11-10 10:00 | 55
      58             | film       | 2026-11-10 10:00 | 58
      """)
    try command.night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | account_id
      55          | 56             | film       | 2026-11-09 10:05 | 55
      58          | 55             | film       | 2026-11-10 10:06 | anna
      """)
    _ = try command.run()
    func headings(_ words: String...) throws -> [String] {
      let ended = try command.start(
        ["explain"] + words + ["--database", command.night.database.connectionString],
        environment: ["COLUMNS": "500"]
      ).ended()
      return ended.output.split(separator: "\n").map(String.init).filter {
        $0.hasPrefix("Account ") || $0.hasPrefix("Transaction ")
      }
    }
    let all = try headings("55")
    #expect(all.first?.hasPrefix("Account 55: 2 purchases: 1 delivered, 1 missing. ") == true)
    #expect(
      all.dropFirst() == [
        "Transaction 55, book (the ID is its transaction):",
        "Transaction 57, book (the ID is its account):",
        "Transaction 56, film (the ID is its account, delivery):",
      ], "\(all)")
    let account = try headings("55", "--as", "account")
    #expect(account.count == 3 && !account.contains { $0.hasPrefix("Transaction 55") })
    for kind in ["transaction", "delivery"] {
      let lines = try explain(command, "55", "--as", kind)
      let role = kind == "transaction" ? kind : "account, delivery"
      #expect(
        lines.filter { $0.hasPrefix("  purchase, ") }
          == ["  purchase, Production; the ID is its \(role)"])
      #expect(!lines.contains { $0.hasPrefix("Account ") || $0.hasPrefix("Transaction ") })
    }
    let unknown = "This ID is unknown as a name of this kind."
    #expect(try explain(command, "anna", "--as", "transaction").contains { $0.hasPrefix(unknown) })
  }

  @Test("two purchases with the same transaction and product have their environments as headings")
  func environments() throws {
    let command = try CommandNight()
    try command.night.catalogue("product_id\nbook")
    try command.night.transactions(
      """
      transaction_id | product_id | purchased_at     | environment
      1              | book       | 2026-11-10 10:00 | Production
      1              | book       | 2026-11-10 10:00 | Sandbox
      """)
    _ = try command.run()
    let lines = try explain(command, "1")
    #expect(
      lines.filter { $0.hasPrefix("Transaction ") }
        == ["Transaction 1, book, Production:", "Transaction 1, book, Sandbox:"], "\(lines)")
  }
}

import Foundation
import ReconciliationTestSupport
import Testing

@Suite("The name that tieout explain is asked about") struct ExplainedNameTests {
  private func explain(_ command: CommandNight, _ words: String...) throws -> [String] {
    let ended = try command.start(
      ["explain"] + words + ["--database", command.night.database.connectionString],
      environment: ["COLUMNS": "500"]
    ).ended()
    return ended.output.split(separator: "\n").map(String.init)
  }

  @Test("exactly this transaction or delivery comes first, and each purchase is named")
  func first() throws {
    let command = try CommandNight()
    try command.night.catalogue("product_id\nbook\nmap\ncoin")
    // 1 is also the original transaction of another purchase, which was not delivered.
    try command.night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at
      1              |                         | book       | 2026-11-10 10:00
      2              | 1                       | map        | 2026-11-11 10:00
      """)
    try command.night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at
      D1          | 1              | book       | 2026-11-10 10:05
      D2          | 1              | book       | 2026-11-10 10:06
      """)
    _ = try command.run()
    let lines = try explain(command, "1")
    #expect(lines[1] == "Transaction 1, book (the ID is its transaction):", "\(lines)")
    #expect(lines[2].contains("(delivery D1)"), "\(lines)")
    #expect(lines.contains("Transaction 2, map (the ID is its original transaction):"), "\(lines)")
    let second = try explain(command, "D2")
    #expect(
      second.contains { $0.hasPrefix("D2 is another delivery of it, 2026-11-10T10:06:00Z: ") },
      "\(second)")
  }

  @Test("an account that shares a purchase is told who got it")
  func sharedPurchase() throws {
    let command = try CommandNight()
    try command.night.catalogue("product_id\nbook")
    try command.night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      1              | book       | 2026-11-10 10:00 | anna
      1              | book       | 2026-11-10 10:00 | ben
      """)
    try command.night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | account_id
      D1          | 1              | book       | 2026-11-10 10:05 | ben
      """)
    _ = try command.run()
    let others = try explain(command, "anna")
    #expect(
      others.contains { $0.contains(", to account ben, not anna, which bought it. ") }, "\(others)")
    for name in ["ben", "1"] {
      let lines = try explain(command, name)
      #expect(!lines.contains { $0.contains("to account") }, "\(lines)")
    }
  }

  @Test("a transaction that only a replaced delivery record contains is explained by its delivery")
  func replaced() throws {
    let command = try CommandNight()
    try command.night.catalogue("product_id\nbook")
    try command.night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | revision
      D1          | 7              | book       | 2026-11-10 10:05 | 1
      D1          | 8              | book       | 2026-11-10 10:05 | 2
      """)
    _ = try command.run()
    let lines = try explain(command, "7")
    #expect(
      lines.contains { $0.hasSuffix("; the ID is in another record of its delivery") },
      "\(lines)")
    #expect(!(try explain(command, "8")).contains { $0.contains("in another record of") })
  }

  @Test("each role of a name has its own words")
  func roles() throws {
    let command = try CommandNight()
    try command.night.catalogue("product_id\nbook")
    try command.night.transactions(
      """
      transaction_id | product_id | purchased_at     | account_id
      8              | book       | 2026-11-10 10:00 | anna
      """)
    try command.night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | account_id | original_transaction_id | revision
      D1          | 8              | book       | 2026-11-10 10:05 | anna       |                         | 1
      D1          | 8              | book       | 2026-11-10 10:05 | ben        |                         | 2
      D2          | 9              | book       | 2026-11-10 10:06 | ben        | 8                       | 1
      """)
    _ = try command.run()
    for (name, words) in [
      ("anna", "the ID is its account and is in another record of its delivery"),
      ("9", "the ID is the transaction of a delivery of it"),
    ] {
      let lines = try explain(command, name)
      #expect(lines.contains("  purchase, Production; \(words)"), "\(lines)")
    }
  }

  @Test("no attempt is said to be missing if its record was rejected")
  func rejected() throws {
    let command = try CommandNight()
    try command.night.catalogue("product_id\nbook")
    try command.night.transactions(
      "transaction_id | product_id | purchased_at\n101 | book | 2026-11-10 09:00")
    try command.night.put(
      """
      delivery_id,transaction_id,product_id,status,occurred_at
      d-1,101,book,ok,2026-11-10T09:01:00Z
      d-2,7,book,delivered,2026-11-10T08:01:00Z
      d-3,8,book,delivered,2026-11-10T10:01:00Z

      """, at: "deliveries/a.csv")
    _ = try command.run()
    let lines = try explain(command, "101")
    #expect(
      lines.contains {
        $0.hasPrefix(
          "Bought on 2026-11-10T09:00:00Z, and no attempt is known: a delivery record with the ID was "
            + "rejected (deliveries/a.csv:2).")
      }, "\(lines)")
  }

  @Test("the answer about a product has its rejected catalogue entry")
  func rejectedEntry() throws {
    let command = try CommandNight()
    try command.night.put(
      #"{"version":2,"products":[{"product_id":"book"},{"product_id":"film","type":"reel"}]}"#,
      at: "catalog/films.json")
    try command.night.transactions(
      "transaction_id | product_id | purchased_at\n101 | film | 2026-11-10 09:00")
    _ = try command.run()
    let lines = try explain(command, "film")
    #expect(
      lines.contains {
        $0.hasPrefix(
          "A rejected record contains it: catalog/films.json, entry 2, catalogue unknown_value: ")
      }, "\(lines)")
  }

  @Test("a device that a rejected record names has the advice to search devices")
  func device() throws {
    let command = try CommandNight()
    try command.night.catalogue("product_id\nbook")
    try command.night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | device_id
      D1          | 7              | book       | 2026-11-10 08:00 | ipad-1012
      """)
    try command.night.put(
      """
      delivery_id,transaction_id,product_id,status,occurred_at,device_id
      d-2,8,book,strange,2026-11-10T09:01:00Z,ipad-1012
      d-3,9,book,strange,2026-11-10T09:01:00Z,ipad-1013

      """, at: "deliveries/a.csv")
    _ = try command.run()
    let advice =
      "No transaction, delivery, line item or account has this ID. If it is a device, add --as device."
    #expect(try explain(command, "ipad-1012").contains(advice))
    let lines = try explain(command, "ipad-1012", "--as", "device")
    #expect(lines.contains { $0.hasPrefix("Delivery D1: ") }, "\(lines)")
    #expect(!lines.contains { $0.contains("has this ID") }, "\(lines)")
    #expect(
      try explain(command, "ipad-1013", "--as", "device").contains(
        "No evidence and no delivery names this device."))
    // Without --as, devices are not searched.
    let unknown = "This ID is unknown as a name of this kind."
    #expect(try explain(command, "nobody", "--as", "device").last == unknown)
    #expect(
      try explain(command, "nobody", "--as", "server").last
        == "\(unknown) Leave out --as to search all kinds.")
  }

  @Test("a key that cannot be read is named if an account is unknown")
  func unreadableKey() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let key = command.night.folder.appending(path: "key")
    try Data(String(repeating: "k", count: 64).utf8).write(to: key)
    let environment = [
      "TIEOUT_PRIVACY": "hash", "TIEOUT_PRIVACY_KEY_FILE": key.path, "COLUMNS": "500",
    ]
    try #require(try command.run(environment: environment).status == 0)
    try FileManager.default.removeItem(at: key)
    func explain(_ words: [String]) throws -> Program.Ended {
      try command.start(
        ["explain"] + words + ["--database", command.night.database.connectionString],
        environment: environment
      ).ended()
    }
    let beginning = "The key of privacy: hash cannot be read (privacy_key_file: the file \""
    let end =
      "\" cannot be read), so this name was not searched as an account. Run as the user of the "
      + "nights, or give the hashed name (h:…)."
    let unknown = try explain(["anna"])
    #expect(unknown.status == 1)
    let lines = unknown.output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix(beginning) && $0.hasSuffix(end) }, "\(lines)")
    let json = try explain(["anna", "--json"])
    #expect(json.status == 1 && json.errors.hasPrefix("tieout: \(beginning)"), "\(json.errors)")
    // Other names need no key.
    for words in [["101"], ["book.emma"], ["anna", "--as", "server"], ["h:0"]] {
      let ended = try explain(words)
      #expect(!ended.output.contains(beginning), "\(ended.output)")
    }
  }

  @Test("a month has its missing and its uncertain deliveries")
  func month() throws {
    let command = try CommandNight()
    try command.night.catalogue("product_id\nbook")
    try command.night.transactions(
      "transaction_id | product_id | purchased_at\n101 | book | 2026-11-12 09:00")
    try command.night.deliveries(
      "transaction_id | product_id | occurred_at\n7 | book | 2026-11-10 08:00")
    _ = try command.run()
    let lines = try explain(command, "2026-11")
    #expect(
      lines.contains("    deliveries of its purchases  0 missing, 1 uncertain"), "\(lines)")
  }

  @Test("the name of a finding about a row of tie_out.csv says how to see the finding")
  func cell() throws {
    let command = try CommandNight()
    try command.night.catalogue("product_id | delivery\ncoin | built_in")
    try command.night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | storefront
      1              | coin       | 2026-11-10 12:00 | 0.99  | USD      | USA
      """)
    let report = [
      ["SKU", "coin"], ["Product Type Identifier", "IA1"], ["Units", "2"],
      ["Developer Proceeds", "0.70"], ["Begin Date", "11/10/2026"], ["End Date", "11/10/2026"],
      ["Customer Price", "0.99"], ["Customer Currency", "USD"], ["Country Code", "US"],
    ]
    let lines = [0, 1].map { line in report.map { $0[line] }.joined(separator: "\t") + "\n" }
    try command.night.put(lines.joined(), at: "apple/10.txt")
    _ = try command.run()
    let name = try command.value(
      "select name from tieout.finding where rule = 'unexplained_difference'")
    let said = try explain(command, try #require(name))
    #expect(said.contains("  the difference, Apple's number less ours, by cause:"), "\(said)")
    #expect(
      said.last == """
        To see the record with this name (a transaction, a delivery, a web order line item, an account or a finding): \
        add --as record.
        """)
  }

  @Test("names that belong to no record have advice")
  func advice() throws {
    let command = try CommandNight()
    try command.night.catalogue("product_id\nbook")
    try command.night.transactions(
      "transaction_id | product_id | purchased_at\n101 | book | 2026-11-10 09:00")
    try command.night.deliveries(
      "transaction_id | product_id | occurred_at\n7 | book | 2026-11-10 08:00")
    _ = try command.run()
    #expect(
      try explain(command, "missing_delivery").last
        == "It is the name of a rule: tieout findings --rule missing_delivery lists what the rule found."
    )
    #expect(try explain(command, "F-12").last?.contains("at least four characters") == true)
    for name in ["2026-13", "2026-00 book"] {
      #expect(
        try explain(command, name).contains(
          "\(name.prefix(7)) is not a month. Write a month as 2026-10."))
    }
    #expect(
      try explain(command, "2026-11 book EUR").contains {
        $0.hasPrefix("2026-11 has no sale and no refund of “book EUR”. ")
          && $0.hasSuffix(" tieout explain 2026-11 explains the whole month.")
      })
    #expect(
      try explain(command, "2026-13", "--as", "server").contains {
        $0.hasPrefix("This ID is unknown as a name of this kind.")
      })
    let name = try #require(
      try command.value("select name from tieout.finding where rule = 'missing_delivery'"))
    #expect(try explain(command, name, "--as", "finding") == explain(command, name))
  }
}

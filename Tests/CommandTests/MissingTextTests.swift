import ReconciliationTestSupport
import Testing

@Suite("Missing deliveries in the summary") struct MissingTextTests {
  @Test("the summary lists uncertain deliveries separately, with the server that was silent")
  func unknown() throws {
    let command = try CommandNight()
    try command.night.catalogue("product_id | grace_hours\nbook | 1\nfilm | 1\nsong | 1")
    var log = "delivery_id | transaction_id | product_id | occurred_at | status | server"
    for day in 4...17 {
      for number in 10...21 {
        log +=
          "\nd-\(day)-\(number) | 77 | book | 2026-11-\(day < 10 ? "0" : "")\(day) 10:\(number) "
          + "| failed | eu-1"
      }
    }
    log += "\nother | 78 | film | 2026-11-18 10:30 | failed | us-1"
    try command.night.deliveries(log)
    try command.night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-18 10:20
      2              | film       | 2026-11-18 10:20
      """)
    let ended = try command.run(asOf: "2026-11-18T12:00:00Z")
    #expect(
      ended.output.contains(
        """
        1 delivery is uncertain: \
        eu-1 was silent from 2026-11-18T10:00:00Z to 2026-11-18T11:00:00Z.

        """), "\(ended.output)")

    // No server served this product, and the whole log has nothing for its time.
    try command.night.transactions(
      """
      transaction_id | product_id | purchased_at
      3              | song       | 2026-11-17 12:20
      """)
    let hole = try command.run(asOf: "2026-11-18T12:00:00Z")
    #expect(
      hole.output.contains(
        """
        2 deliveries are uncertain: \
        eu-1 was silent from 2026-11-18T10:00:00Z to 2026-11-18T11:00:00Z, \
        no delivery log covers the time of 1.

        """), "\(hole.output)")
  }

  @Test("the summary states in one sentence what the missing deliveries have in common")
  func cause() throws {
    let command = try CommandNight()
    try command.night.catalogue("product_id\nbook")
    var log = "delivery_id | transaction_id | product_id | occurred_at | status | server"
    var sales = "transaction_id | product_id | purchased_at"
    for number in 1...100 {
      let isEuropean = number % 2 == 0
      let hour = number % 4 < 2 ? "14" : "09"
      let isFailed = isEuropean && hour == "14"
      sales += "\n\(number) | book | 2026-11-12 \(hour):10"
      log +=
        "\nd-\(number) | \(number) | book | 2026-11-12 \(hour):10 "
        + "| \(isFailed ? "failed" : "delivered") | \(isEuropean ? "eu-1" : "us-1")"
    }
    try command.night.deliveries(log)
    try command.night.transactions(sales)
    let ended = try command.run()
    #expect(
      ended.output.contains(
        """
        Of the 25 missing deliveries of the last 14 days, 25 came through eu-1 and were attempted between 14:00 and \
        15:00 UTC, compared with 25 % of all owed deliveries.

        """), "\(ended.output)")
  }

  @Test("the summary has no line about missing deliveries when none is missing")
  func nothing() throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let ended = try command.run()
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(!ended.output.contains(" missing"))
  }
}

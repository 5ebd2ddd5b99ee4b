import Foundation
import ReconciliationTestSupport

extension CrashScene {
  /// Makes the temporary files of killed runs more than an hour old, so that the next run removes
  /// them.
  func ageTemporaryFiles() throws {
    let place = command.night.folder
    for path in try FileManager.default.subpathsOfDirectory(atPath: place.path)
    where path.hasSuffix(".tmp") {
      try FileManager.default.setAttributes(
        [.modificationDate: Date.now.addingTimeInterval(-3700)],
        ofItemAtPath: place.appending(path: path).path)
    }
  }
}

extension CrashScene.Kind {
  /// Puts the files of the night before into the inbox.
  func putEarlier(_ command: CommandNight) throws {
    guard self != .refresh else { return }
    try command.night.catalogue(
      """
      product_id      | type       | prices
      book.emma       |            | USD 0.99
      book.persuasion |            | USD 1.99
      coins.100       | consumable |
      """)
    try command.night.transactions(
      """
      transaction_id | product_id      | purchased_at     | account_id | device_id
      101            | book.emma       | 2026-11-17 10:00 | anna       | a1
      102            | book.persuasion | 2026-11-17 11:00 | berta      | b1
      """)
    try command.night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at
      D1          | 101            | book.emma  | 2026-11-17 09:00
      D2          | 101            | book.emma  | 2026-11-17 10:05
      """)
    try command.night.clientLog(
      """
      product_id | state    | transaction_id | original_transaction_id | transaction_date
      book.emma  | restored | 901            | 101                     | 2026-11-18 10:00
      """)
  }

  /// Puts the later files into the inbox: transactions with a refund and a wrong product
  /// identifier, a delivery, a price, a report of Apple, and a record to be rejected.
  func putLater(_ command: CommandNight) throws {
    try command.night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | account_id | cancelled_at
      101            | 101                     | book.emma  | 2026-11-17 10:00 | anna       | 2026-11-19 09:00
      103            | 103                     | book.enma  | 2026-11-19 10:00 | clara      |
      104            | 103                     | coins.100  | 2026-11-19 11:00 | clara      |
      """)
    try command.night.deliveries(
      """
      delivery_id | transaction_id | product_id      | occurred_at
      D3          | 102            | book.persuasion | 2026-11-19 12:00
      """)
    try command.night.catalogue(
      """
      product_id | prices
      book.emma  | USD 1.09
      """)
    try command.night.put(
      AppleReports.sales("2026-11-17", ["book.emma US 1 0.70 USD 1.99 USD"]), at: "apple/1.txt")
    try command.putBadRecord()
  }
}

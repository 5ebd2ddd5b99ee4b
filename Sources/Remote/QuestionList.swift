import Foundation
import Intake
import LibCrypto
import PostgreSQL
import ReconciliationSQL
import Runs

/// The receipts to ask about tonight, and the earlier answers.
///
/// Both are in the database, so that a million receipts take no more memory than ten.
final class QuestionList {
  private let list: Connection
  private let memory: Connection
  private let refreshAfterHours: Int
  private var batch: [[String: String]] = []

  /// Begins a list.
  ///
  /// The list exists in one transaction on its own connection. Answers are recorded on the other
  /// connection at once, and stay there even if the rest fails.
  init(list: Connection, memory: Connection, refreshAfterHours: Int) throws {
    self.list = list
    self.memory = memory
    self.refreshAfterHours = refreshAfterHours
    try list.run(Schema.begin, step: "list receipts")
    try list.run(Schema.transactionSettings, step: "list receipts")
    try list.run(SQLFile.refreshStart)
  }

  /// Records that the inbox contains a receipt.
  func add(_ receipt: RawReceipt) throws {
    var row = ["receipt_hash": "\\x\(receipt.hash.hexadecimal)"]
    row["account_id"] = receipt.accountID
    row["device_id"] = receipt.deviceID
    row["storefront"] = receipt.storefront
    batch.append(row)
    if batch.count >= 500 { try send() }
  }

  private func send() throws {
    let rows = try JSONEncoder().encode(batch)
    batch.removeAll(keepingCapacity: true)
    try list.run(SQLFile.refreshPresented, [String(decoding: rows, as: UTF8.self)])
  }

  /// The number of different receipts, and the number of those that are due.
  func close() throws -> (known: Int, due: Int) {
    try send()
    let row = try list.run(SQLFile.refreshDue, ["\(refreshAfterHours)"]).records.first
    try list.run("drop table presented", step: "list receipts")
    return try (row?.count("known") ?? 0, row?.count("due") ?? 0)
  }

  /// Removes a receipt from the list, and returns it with its account and device; nil if not
  /// listed.
  func take(_ receipt: RawReceipt) throws -> RawReceipt? {
    let taken = try list.run(SQLFile.refreshTake, ["\\x\(receipt.hash.hexadecimal)"])
    guard let row = taken.records.first else { return nil }
    return RawReceipt(
      bytes: receipt.bytes, accountID: row["account_id"], deviceID: row["device_id"],
      storefront: row["storefront"], line: receipt.line)
  }

  /// Records a final answer.
  func note(_ receipt: RawReceipt, status: Int, isSandbox: Bool, path: String?) throws {
    try memory.run(
      SQLFile.refreshAnswer,
      ["\\x\(receipt.hash.hexadecimal)", "\(status)", "\(isSandbox)", path])
  }
}

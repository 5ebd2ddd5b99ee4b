import Foundation
import Intake
import LibCrypto
import PostgreSQL
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
    try list.run(
      """
      create temporary table presented (
          receipt_hash bytea not null,
          account_id text collate "C",
          device_id text collate "C",
          storefront text collate "C"
      ) on commit drop
      """, step: "list receipts")
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
    try list.run(
      """
      insert into presented (receipt_hash, account_id, device_id, storefront)
      select
          receipt_hash,
          account_id,
          device_id,
          storefront
      from json_to_recordset($1::json) as given (
          receipt_hash bytea,
          account_id text,
          device_id text,
          storefront text
      )
      """, [String(decoding: rows, as: UTF8.self)], step: "list receipts")
  }

  /// The number of different receipts, and the number of those that are due.
  ///
  /// Several accounts or devices can present the same receipt. The one that sorts first counts, so
  /// that the order of files does not matter.
  func close() throws -> (known: Int, due: Int) {
    try send()
    let known = try list.run(
      "select count(distinct receipt_hash) from presented", step: "list receipts"
    ).first
    try list.run(
      """
      create temporary table due on commit drop as
      select distinct on (presented.receipt_hash)
          presented.receipt_hash,
          presented.account_id,
          presented.device_id,
          presented.storefront
      from presented
      left join receipt_question
          on presented.receipt_hash = receipt_question.receipt_hash
          and receipt_question.asked_at
          >= transaction_timestamp() - make_interval(hours => \(refreshAfterHours))
      where receipt_question.receipt_hash is null
      order by
          presented.receipt_hash,
          presented.account_id,
          presented.device_id,
          presented.storefront;
      create unique index on due (receipt_hash);
      drop table presented
      """, step: "list receipts")
    let due = try list.run("select count(*) from due", step: "list receipts").first
    return (known.flatMap { Int($0) } ?? 0, due.flatMap { Int($0) } ?? 0)
  }

  /// Removes a receipt from the list, and returns it with its account and device; nil if not
  /// listed.
  func take(_ receipt: RawReceipt) throws -> RawReceipt? {
    let taken = try list.run(
      """
      delete from due where receipt_hash = $1::bytea
      returning account_id, device_id, storefront
      """, ["\\x\(receipt.hash.hexadecimal)"], step: "list receipts")
    guard let row = taken.values.first, row.count == 3 else { return nil }
    return RawReceipt(
      bytes: receipt.bytes, accountID: row[0], deviceID: row[1], storefront: row[2],
      line: receipt.line)
  }

  /// Records a final answer.
  func note(_ receipt: RawReceipt, status: Int, isSandbox: Bool, path: String?) throws {
    try memory.run(
      """
      insert into tieout.receipt_question (receipt_hash, asked_at, status, is_sandbox, answer_path)
      values ($1::bytea, clock_timestamp(), $2::integer, $3::boolean, $4)
      on conflict (receipt_hash) do update set
          asked_at = excluded.asked_at,
          status = excluded.status,
          is_sandbox = excluded.is_sandbox,
          answer_path = excluded.answer_path
      """,
      ["\\x\(receipt.hash.hexadecimal)", "\(status)", "\(isSandbox)", path],
      step: "note answer")
  }
}

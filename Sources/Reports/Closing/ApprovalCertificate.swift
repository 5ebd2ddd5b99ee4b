import CanonicalJSON
import LibCrypto
import PostgreSQL
import ReconciliationSQL
import Runs

/// The certificate of an approval: who closed and who approved which pack.
///
/// It is made only from the database's record of the approval. So the same certificate can be made
/// again, and compared with the file.
struct ApprovalCertificate {
  /// The name of the pack's folder; each closing has its own.
  let pack: String
  /// The number of the approval of this closing, from 1.
  let number: String
  let approver: String
  /// When it was approved.
  let approvedAt: String
  /// What has changed in the days of the period since it was closed, in words; nil if nothing has.
  let difference: String?
  private let json: CanonicalJSON

  /// The certificates of all approvals, in the order of the approvals.
  static func all(in database: Connection) throws -> [ApprovalCertificate] {
    try database.run(SQLFile.periodCertificate).records.map { try ApprovalCertificate($0) }
  }

  private init(_ row: Row) throws {
    pack = ClosingPack.name(of: row.text("period"), closing: try row.count("closing"))
    number = row.text("number")
    approver = row.text("approved_by")
    approvedAt = row.text("approved_at")
    let changes = try PeriodDifference(row)
    difference = changes.words
    json = .object(
      [
        .init("format", .integer(1)), .init("pack", .string(pack)),
        .init("single_signer", .boolean(row.flag("single_signer"))),
        .init("difference", changes.json),
      ]
        + [
          "period", "pack_sha256", "prepared_by", "prepared_at", "approved_by", "approved_at",
          "approved_as_of",
        ].map { .init($0, .string(row.text($0))) })
  }

  /// The name of its file in `closed/`.
  var fileName: String { "\(pack).certificate-\(number).json" }

  /// The bytes of its file.
  func text() throws -> [UInt8] { try json.text() }

  /// The SHA-256 of its file, in hexadecimal digits.
  func sha256() throws -> String { try HashFunction.sha256.digest(of: text()).hexadecimal }
}

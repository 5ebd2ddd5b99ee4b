import PostgreSQL
import Runs

extension Withdrawal {
  /// Cancels the acknowledgements of a file, if the file is withdrawn.
  ///
  /// An acknowledgement merges with nothing, so no rebuild is needed. Acknowledgements that it
  /// replaced stay replaced. The file's lines are no longer known: if the file counts again, its
  /// lines count again.
  ///
  /// - Returns: the names of the findings that are open again.
  func takeBackAcknowledgements(of sha256: String, in database: Connection) throws -> [String] {
    let files = """
      select input_file.file_id
      from tieout.input_file
      inner join tieout.withdrawal on input_file.sha256 = withdrawal.sha256
      where
          input_file.sha256 = decode($1, 'hex')
          and input_file.folder = 'acknowledgements'
          and withdrawal.undone_at is null
      """
    guard try database.run("select exists (\(files))", [sha256], step: "withdraw").first == "t"
    else { return [] }
    // The finding is locked first and its acknowledgement second, as everywhere.
    let reopened = try database.run(
      """
      update tieout.finding
      set status = 'reopened'
      from tieout.acknowledgement
      where
          finding.finding_id = acknowledgement.finding_id
          and finding.status = 'acknowledged'
          and acknowledgement.ended_because is null
          and acknowledgement.file_id in (\(files))
      returning finding.name
      """, [sha256], step: "withdraw"
    ).values.compactMap { $0[0] }
    try database.run(
      """
      update tieout.acknowledgement
      set
          ended_because = 'reopened',
          ended_by = $2,
          ended_note = 'Its file was withdrawn.',
          ended_at = clock_timestamp(),
          ended_system_user = $3,
          ended_role = session_user
      where ended_because is null and file_id in (\(files))
      """, [sha256, Host.userName, Host.systemUser], step: "withdraw")
    try database.run(
      "update tieout.acknowledgement set statement_hash = null where file_id in (\(files))",
      [sha256], step: "withdraw")
    try database.run(
      """
      update tieout.inbox_path
      set file_id = null, withdrawn_sha256 = decode($1, 'hex')
      where file_id in (\(files))
      """, [sha256], step: "withdraw")
    try database.run(
      "update tieout.input_file set is_withdrawn = true where file_id in (\(files))", [sha256],
      step: "withdraw")
    return reopened.sorted()
  }
}

/// Classifies the failed start of a server.
enum StartFailure {
  /// Whether the next start can succeed without any intervention.
  ///
  /// - Parameter words: The output of pg_ctl and the server.
  static func isPassing(_ words: String) -> Bool {
    // A killed server leaves processes that end a moment later.
    if words.contains("pre-existing shared memory block") { return true }
    // When a postmaster is killed, its processes roll back and end without writing a record of it
    // to the write-ahead log. If a transaction has truncated an unlogged table, the rollback leaves
    // an empty main file and removes the init file. The recovery creates the init file again from
    // the log, and then fails because the main file exists (PostgreSQL 15, smgrDoPendingDeletes and
    // ResetUnloggedRelations). The next recovery begins with both files, and removes the main file
    // first.
    return words.contains("FATAL:  could not create file \"base/") && words.contains("File exists")
  }
}

/// Why a server did not start, as far as its next start may do better.
enum StartFailure {
  /// Whether the next start can succeed without anybody's help.
  ///
  /// - Parameter words: What pg_ctl and the server said.
  static func isPassing(_ words: String) -> Bool {
    // A server that was killed leaves processes that end a moment later.
    if words.contains("pre-existing shared memory block") { return true }
    // When a postmaster is killed, its processes roll back and end without writing to the log that they did. A
    // transaction that has truncated an unlogged table then leaves an empty main file and removes the init file, which
    // the recovery makes again from the log: it fails as the main file is there (PostgreSQL 15, smgrDoPendingDeletes
    // and ResetUnloggedRelations). The next recovery begins with both files, and removes the main file first.
    return words.contains("FATAL:  could not create file \"base/") && words.contains("File exists")
  }
}

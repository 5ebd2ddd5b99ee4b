import PostgreSQL
import Runs

extension PostgreSQLError {
  /// What has happened, in words for people, and what to do.
  var advice: String {
    adviceAboutPooler ?? adviceAboutRights ?? adviceAboutServer ?? adviceAboutConnection
      ?? adviceAboutOthers
  }

  private var adviceAboutPooler: String? {
    // PgBouncer refuses a transaction because it gives a session to each SQL statement.
    if message.contains("statement pooling mode") {
      return """
        The pooler in front of the database works in statement mode, and a run needs transactions. Nothing \
        changed. Set pool_mode = transaction (or session) for this database, or connect to the server itself.
        """
    }
    if message.contains("query_wait_timeout") {
      return """
        The pooler in front of the database had no free session within its query_wait_timeout. Let it open more sessions \
        (default_pool_size): a run needs at least two, and load_connections + 1 to read at full speed. Then start the \
        command again: it finds out what is done, and does the rest.
        """
    }
    if isOfPoolerTime {
      return """
        The pooler in front of the database limits the time of queries or transactions. Set its query_timeout, \
        idle_transaction_timeout and transaction_timeout to 0 for this database. Then start the command again: it finds \
        out what is done, and does the rest.
        """
    }
    return nil
  }

  private var adviceAboutRights: String? {
    switch sqlState {
    // The messages of the server are not always in English; then the second case applies.
    case "42501" where message.contains("row-level security"):
      """
      Row-level security would hide rows from the role of this connection, and the program needs all of them. \
      \(Self.unchanged) Switch it off for the table that the message names (alter table tieout.… disable \
      row level security), or for the role (alter role … bypassrls).
      """
    case "42501":
      """
      The role of this connection lacks a right. \(Self.unchanged) With roles of your own, let an administrator \
      run the SQL statements of `tieout roles` again (docs/security.md, "Roles of the database"), and connect as the \
      role that the command needs: tieout_job for nights, for tieout acknowledge and reopen, and for questions such as \
      tieout explain; tieout_closer for tieout close, approve and reopen-period; tieout_owner for all other commands.\
      \(firstCommand)
      """
    case Self.dependentObjects:
      """
      The program must drop an object of its schema to create it again, and other objects depend on it. \
      \(Self.unchanged) Drop those that are named at the end, and run again. Create them again only on \
      tables or on the report views (docs/operating.md, "The private server and your own server").
      """
    default: nil
    }
  }

  private var adviceAboutServer: String? {
    switch sqlState {
    case "25006":
      """
      The server is a standby, or this role may only read. \(Self.unchanged) Connect to the primary, or set \
      default_transaction_read_only = off for this role.
      """
    case "58P01":
      """
      The server cannot load one of its own files. \(Self.unchanged) Usually PostgreSQL was upgraded while \
      the server ran: restart it. The private server restarts by itself when the commands that use it have ended, such \
      as tieout psql. Then run again.
      """
    case "53100":
      """
      The disk of \(node ?? "the database server") is full or has no free inodes. \(Self.unchanged) \
      Free some space there and run again.
      """
    default: nil
    }
  }

  private var adviceAboutConnection: String? {
    guard code == .connectionFailed else { return nil }
    if let node {
      return """
        The server \(node) of the cluster ended its connection before the command was done. Check it and \
        run again. \(Self.unchanged)
        """
    }
    if step != "connect" {
      return """
        The connection to the database broke before the command was done. Check the server and start the command again: \
        it finds out what is done, and does the rest.
        """
    }
    return """
      Cannot connect to the database. Check that its server runs and its disk is not full, that the setting database \
      (--database, TIEOUT_DATABASE) names it, and that it admits this role: password (PGPASSFILE), pg_hba.conf, right \
      to connect, connection limit; for TLS: sslmode, sslrootcert, the name and the dates of the server's certificate.
      """
  }

  private var adviceAboutOthers: String {
    // The message of a limit of time is not always in English.
    if code == .cancelled, message.contains("statement timeout") {
      return """
        The server or the role limits the time of SQL statements. \(Self.unchanged) Remove the limit for the \
        role of this connection: alter role … set statement_timeout = 0.
        """
    }
    if code == .cancelled { return "Another session cancelled an SQL statement. \(Self.unchanged)" }
    if isPassing { return "Another session blocked the command. \(Self.unchanged) Try again." }
    return "An SQL statement failed. \(Self.unchanged)"
  }

  /// Whether PgBouncer ended the session because of one of its limits of time.
  ///
  /// PostgreSQL's own limits say "terminating connection due to".
  private var isOfPoolerTime: Bool {
    guard !message.contains("terminating connection due to") else { return false }
    return ["query timeout", "query_timeout", "transaction timeout"].contains(
      where: message.contains)
  }

  /// What to do if the tables may be missing: only the role that owns the schema can make them.
  ///
  /// A role without rights on the schema cannot see whether it has tables.
  private var firstCommand: String {
    step == "schema"
      ? " If there are no tables yet, let tieout_owner run any command once, such as tieout runs."
      : ""
  }
}

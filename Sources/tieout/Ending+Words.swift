import Foundation
import NightRun
import PostgreSQL
import Runs

extension Ending {
  /// One line for people: what happened, and what to do.
  static func words(of error: any Error) -> String {
    switch error {
    case let error as UnfinishedForgetting:
      "\(words(of: error.cause)) \(oneLine(error.remains))"
    case let error as PostgreSQLError
    where isStopped && error.step == "commit" && error.hasNoAnswer:
      """
      Stopped while the server committed, so it may have done so. Start the command again: it finds out what is done, \
      and does the rest. \(oneLine(error.description))
      """
    case let error as PostgreSQLError where isStopped:
      "Stopped before the command was done. Start it again. \(oneLine(error.description))"
    case let error as PostgreSQLError where error.code == .noThread:
      oneLine(error.message)
    case let error as PostgreSQLError where error.isOfStatementPooling:
      """
      The pooler in front of the database works in statement mode, and a run needs transactions. Nothing \
      changed. Set pool_mode = transaction (or session) for this database, or connect to the server itself. \
      \(oneLine(error.description))
      """
    case let error as PostgreSQLError where error.message.contains("query_wait_timeout"):
      """
      The pooler in front of the database had no free session within its query_wait_timeout. Let it open more sessions \
      (default_pool_size): a run needs at least two, and load_connections + 1 to read at full speed. Then start the \
      command again: it finds out what is done, and does the rest. \(oneLine(error.description))
      """
    case let error as PostgreSQLError where error.isOfPoolerTime:
      """
      The pooler in front of the database limits the time of queries or transactions. Set its query_timeout, \
      idle_transaction_timeout and transaction_timeout to 0 for this database. Then start the command again: it finds \
      out what is done, and does the rest. \(oneLine(error.description))
      """
    case let error as PostgreSQLError where error.isOfRowSecurity:
      """
      Row-level security would hide rows from the role of this connection, and the program needs all of them. \
      \(PostgreSQLError.unchanged) Switch it off for the table that the message names (alter table tieout.… disable \
      row level security), or for the role (alter role … bypassrls). \(oneLine(error.description))
      """
    case let error as PostgreSQLError where error.sqlState == "42501":
      """
      The role of this connection lacks a right. \(PostgreSQLError.unchanged) With roles of your own, let an administrator \
      run the SQL statements of `tieout roles` again (docs/security.md, "Roles of the database"), and connect as the \
      role that the command needs: tieout_job for nights, for tieout acknowledge and reopen, and for questions such as \
      tieout explain; tieout_closer for tieout close, approve and reopen-period; tieout_owner for all other commands. \
      \(firstCommand(error))\(oneLine(error.description))
      """
    case let error as PostgreSQLError where error.sqlState == PostgreSQLError.dependentObjects:
      """
      The program must drop an object of its schema to create it again, and other objects depend on it. \
      \(PostgreSQLError.unchanged) Drop those that are named at the end, and run again. Create them again only on \
      tables or on the report views (docs/operating.md, "The private server and your own server"). \
      \(oneLine(error.description))
      """
    case let error as PostgreSQLError where error.sqlState == "25006":
      """
      The server is a standby, or this role may only read. \(PostgreSQLError.unchanged) Connect to the primary, or set \
      default_transaction_read_only = off for this role. \(oneLine(error.description))
      """
    case let error as PostgreSQLError where error.sqlState == "58P01":
      """
      The server cannot load one of its own files. \(PostgreSQLError.unchanged) Usually PostgreSQL was upgraded while \
      the server ran: restart it. The private server restarts by itself when the commands that use it have ended, such \
      as tieout psql. Then run again. \(oneLine(error.description))
      """
    case let error as PostgreSQLError where error.sqlState == "53100":
      """
      The disk of \(error.node ?? "the database server") is full or has no free inodes. \(PostgreSQLError.unchanged) \
      Free some space there and run again. \(oneLine(error.description))
      """
    case let error as PostgreSQLError where error.code == .connectionFailed && error.node != nil:
      """
      The server \(error.node ?? "") of the cluster ended its connection before the command was done. Check it and \
      run again. \(PostgreSQLError.unchanged) \(oneLine(error.description))
      """
    case let error as PostgreSQLError
    where error.code == .connectionFailed && error.step != "connect":
      """
      The connection to the database broke before the command was done. Check the server and start the command again: \
      it finds out what is done, and does the rest. \(oneLine(error.description))
      """
    case let error as PostgreSQLError where error.code == .connectionFailed:
      """
      Cannot connect to the database. Check that its server runs and its disk is not full, that the setting database \
      (--database, TIEOUT_DATABASE) names it, and that it admits this role: password (PGPASSFILE), pg_hba.conf, right \
      to connect, connection limit; for TLS: sslmode, sslrootcert, the name and the dates of the server's certificate. \
      \(oneLine(error.description))
      """
    case let error as PostgreSQLError where error.isOfStatementTimeout:
      """
      The server or the role limits the time of SQL statements. \(PostgreSQLError.unchanged) Remove the limit for the \
      role of this connection: alter role … set statement_timeout = 0. \(oneLine(error.description))
      """
    case let error as PostgreSQLError where error.code == .cancelled:
      "Another session cancelled an SQL statement. \(PostgreSQLError.unchanged) \(oneLine(error.description))"
    case let error as PostgreSQLError where error.isPassing:
      "Another session blocked the command. \(PostgreSQLError.unchanged) Try again. \(oneLine(error.description))"
    case let error as PostgreSQLError:
      "An SQL statement failed. \(PostgreSQLError.unchanged) \(oneLine(error.description))"
    case let error as ReconciliationError where error.code == .totals:
      "\(oneLine("\(error)")) This is an error of the program. Keep the log and the inbox, and report this message."
    default:
      oneLine("\(error)")
    }
  }

  /// What to do if the tables may be missing: only the role that owns the schema can make them.
  ///
  /// A role without rights on the schema cannot see whether it has tables.
  private static func firstCommand(_ error: PostgreSQLError) -> String {
    error.step == "schema"
      ? "If there are no tables yet, let tieout_owner run any command once, such as tieout runs. "
      : ""
  }

  private static func oneLine(_ text: String) -> String {
    // libpq adds a question in a line that is indented.
    text.replacing("\n\t", with: ". ").split(whereSeparator: \.isNewline).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    .joined(separator: " ")
  }
}

extension PostgreSQLError {
  /// Whether a limit of the server or role ended the SQL statement; its message is not always English.
  fileprivate var isOfStatementTimeout: Bool {
    code == .cancelled && message.contains("statement timeout")
  }

  /// Whether row-level security applies to the SQL statement.
  ///
  /// If the messages of the server are not in English, this is not recognized.
  fileprivate var isOfRowSecurity: Bool {
    sqlState == "42501" && message.contains("row-level security")
  }

  /// Whether PgBouncer ended the session because of one of its limits of time.
  ///
  /// PostgreSQL's own limits say "terminating connection due to".
  fileprivate var isOfPoolerTime: Bool {
    guard !message.contains("terminating connection due to") else { return false }
    return ["query timeout", "query_timeout", "transaction timeout"].contains(
      where: message.contains)
  }

  /// Whether PgBouncer refused a transaction because it gives a session to each SQL statement.
  fileprivate var isOfStatementPooling: Bool { message.contains("statement pooling mode") }
}

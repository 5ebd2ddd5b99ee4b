package import PostgreSQL
import ReconciliationSQL
import Waiting

/// The cluster of servers over which a ledger can be distributed: a coordinator, to which the
/// program connects, and workers.
package struct LedgerCluster {
  /// Where the ledger is.
  package enum Distribution: Sendable, Equatable {
    /// The server is plain PostgreSQL.
    case oneServer
    /// The server is a coordinator, and all tables are on it.
    case coordinator
    /// The large tables are on the workers.
    case workers
  }

  /// What a cluster is and has.
  package struct Status: Sendable {
    /// Where the ledger is.
    package let distribution: Distribution
    /// The version of the cluster's software; nil on plain PostgreSQL.
    package var version: String?
    /// The number of workers that may have shards.
    package var workers = 0
    /// What the nodes have, the distributed tables, and the others; empty unless they are
    /// distributed.
    package var tables: [QueryTable] = []
  }

  private let database: String

  /// Prepares to work with the server of a connection string.
  package init(database: String) {
    self.database = database
  }

  /// Looks up what is distributed where.
  package func status() throws -> Status {
    let connection = try Connection(database, applicationName: "tieout cluster")
    return try connection.reading {
      var status = Status(distribution: try Self.distribution(connection))
      guard status.distribution != .oneServer else { return status }
      (status.version, status.workers) = try Self.workers(connection)
      guard status.distribution == .workers else { return status }
      status.tables = try [SQLFile.clusterNode, .clusterTable, .clusterLocal].map {
        QueryTable(try connection.run($0))
      }
      return status
    }
  }

  /// Distributes the large tables of a ledger over the workers.
  ///
  /// It takes the lock of a run, and everything happens in one transaction.
  ///
  /// - Parameter shards: The number of shards of each table.
  /// - Throws: ``ReconciliationError`` if a run is at work, if the server is no coordinator with
  ///   workers, if the role is no superuser, if there are no tables, or if they are distributed
  ///   already.
  package func distribute(shards: Int) throws {
    let lock = try RunLock(database)
    defer { withExtendedLifetime(lock) {} }
    let connection = try Connection(database, applicationName: "tieout cluster")
    switch try connection.reading({ try Self.distribution(connection) }) {
    case .oneServer:
      throw ReconciliationError(
        .configuration,
        """
        The server is plain PostgreSQL, without the extension Citus: there are no workers. Nothing changed. \
        docs/scaling.md says what a cluster needs.
        """)
    case .workers:
      throw ReconciliationError(
        .configuration,
        "The ledger is distributed already. tieout cluster status shows where it is.")
    case .coordinator: break
    }
    let role = try connection.alone(
      "select current_user as role, current_setting('is_superuser') = 'on' as is_superuser",
      step: "cluster"
    ).records.first
    guard role?.flag("is_superuser") == true else {
      throw ReconciliationError(
        .configuration,
        """
        The cluster lets only a superuser distribute tables of a ledger, and \(role?.text("role") ?? "this role") is \
        not a superuser. Nothing changed. Name a superuser in --database; the tables keep their owner.
        """)
    }
    // The superuser would own tables that are created here, and the owner could not use them.
    let hasTables = try connection.alone(
      "select to_regclass('tieout.schema_version') is not null", step: "cluster"
    ).isTrue
    guard hasTables else {
      throw ReconciliationError(
        .configuration,
        """
        The database has no tables yet, so there is nothing to distribute. Nothing changed. Let the role that will own \
        the tables run: tieout runs.
        """)
    }
    let workers = try connection.reading { try Self.workers(connection).count }
    guard workers > 0 else {
      throw ReconciliationError(
        .configuration,
        "The coordinator knows no worker. Nothing changed. Add one: select citus_add_node('host', port)."
      )
    }
    guard shards >= workers else {
      throw ReconciliationError(
        .configuration,
        """
        \(shards) \(shards == 1 ? "shard is" : "shards are") fewer than the \(workers) workers, so some would have \
        nothing to do. Give at least \(workers) with --shards.
        """
      )
    }
    try Schema.bringUpToDate(connection)
    try connection.inTransaction {
      try connection.run(
        "select set_config('tieout.shards', $1, true)", ["\(shards)"], step: "distribute")
      try connection.run(SQLFile.clusterDistribute)
      // The extension passes a `set local` on to its connections that are open, with the whole text
      // of the query. So this is a query of its own, after the first file has opened them.
      try connection.run("set local check_function_bodies = off", step: "distribute")
      try connection.run(SQLFile.clusterFunction)
      try connection.run(SQLFile.clusterTakeBack)
    }
  }

  /// Completes or takes back what a run left prepared on a node because a server died during its
  /// commit, and checks that nothing is left.
  ///
  /// On plain PostgreSQL, and if all tables are on the coordinator, there is nothing to check.
  ///
  /// - Throws: ``ReconciliationError`` that names the nodes that hold a commit back or do not
  ///   answer, or with `stopped`.
  package static func settle(_ connection: Connection) throws {
    try recover(connection)
    guard try isOnWorkers(connection) else { return }
    guard let nodes = try unsettled(connection) else { return }
    throw ReconciliationError(
      .schema,
      """
      The ledger cannot be read in full, so the run did not start: \(nodes). Start the servers that do not \
      answer, then run again. The next run first completes or rolls back the prepared transactions.
      """)
  }

  /// Checks from a new connection that every node has completed a commit.
  ///
  /// A commit has two phases. If a server dies between them, readers see a part of the night until
  /// it is completed. On plain PostgreSQL there is nothing to check, and no new connection is made.
  ///
  /// - Parameters:
  ///   - own: The connection that has committed.
  ///   - database: The connection string for the new one.
  /// - Throws: ``ReconciliationError`` that names the nodes that have not completed it or do not
  ///   answer.
  package static func assertCommitted(on own: Connection, in database: String) throws {
    guard try isOnWorkers(own) else { return }
    let connection = try Connection(database, applicationName: "tieout cluster")
    try recover(connection)
    guard let nodes = try unsettled(connection) else { return }
    throw ReconciliationError(
      .schema,
      """
      The night is stored, but readers cannot see it in full: \(nodes). Its reports are not published. When \
      these servers are there again, the next run publishes them.
      """)
  }

  /// Checks from a new connection whether a node is the reason why the server refused a commit.
  ///
  /// The server's own message does not name a node that dies while it prepares its part. The ledger
  /// must be distributed.
  ///
  /// - Parameters:
  ///   - error: The error of the commit. If it was cancelled or is no `PostgreSQLError`, nothing is
  ///     checked.
  ///   - database: The connection string for the new connection.
  /// - Throws: ``ReconciliationError`` that names the nodes that do not answer or hold a commit
  ///   back.
  package static func assertAnswering(after error: any Error, in database: String) throws {
    guard let error = error as? PostgreSQLError, error.code != .cancelled,
      let connection = try? Connection(database, applicationName: "tieout cluster"),
      let nodes = try? unsettled(connection)
    else { return }
    let end =
      error.hasNoAnswer
      ? "The server did not answer the commit" : "The commit failed, so nothing changed"
    throw ReconciliationError(
      .schema,
      """
      \(end): \(nodes). Start the servers that do not answer, then run again. \
      The next run first completes or rolls back the prepared transactions. \(error)
      """)
  }

  /// Completes or takes back prepared parts, if the role may do so.
  ///
  /// Otherwise the cluster itself does it, once a minute.
  private static func recover(_ connection: Connection) throws {
    let mayRecover =
      "select coalesce(has_function_privilege("
      + "to_regproc('pg_catalog.recover_prepared_transactions'), 'execute'), false)"
    guard try connection.alone(mayRecover, step: "recover").isTrue else { return }
    try connection.alone("select recover_prepared_transactions()", step: "recover")
  }

  /// The nodes that hold a commit back or do not answer, in words; nil if there are none.
  ///
  /// Other sessions commit in two phases too, for a moment. So it looks again for some seconds while
  /// all nodes answer.
  private static func unsettled(_ connection: Connection) throws -> String? {
    var wait = Wait(atMost: Patience.settling)
    while true {
      let nodes = try connection.alone(SQLFile.clusterUnsettled).records
      if nodes.isEmpty { return nil }
      if nodes.allSatisfy({ $0.flag("is_answering") }) {
        if wait.pause() { continue }
        // Nobody knows then whether the commit would have been completed in time.
        if wait.end == .stop { throw ReconciliationError.stopped }
      }
      return nodes.map { row in
        "\(row.text("node")) \(row.flag("is_answering") ? "holds a commit back" : "does not answer")"
      }.joined(separator: ", ")
    }
  }

  /// Whether the large tables are on the workers; the connection has begun a transaction of a run.
  package static func isDistributed(
    _ connection: Connection, step: String
  ) throws(PostgreSQLError) -> Bool {
    // Schema.transactionSettings has set it.
    let query = "select current_setting('tieout.is_distributed', true) is not distinct from 'true'"
    return try connection.run(query, step: step).isTrue
  }

  /// Whether the large tables are on the workers, asked in a transaction of its own.
  private static func isOnWorkers(_ connection: Connection) throws -> Bool {
    try connection.reading { try distribution(connection) } == .workers
  }

  /// Where the ledger is; the caller has begun a transaction.
  private static func distribution(_ connection: Connection) throws -> Distribution {
    let isCluster = "select to_regclass('pg_catalog.pg_dist_partition') is not null"
    guard try connection.run(isCluster, step: "cluster").isTrue else { return .oneServer }
    let distributed =
      "select 1 from pg_dist_partition where logicalrelid = to_regclass('tieout.stored_evidence')"
    let rows = try connection.run(distributed, step: "cluster").values
    return rows.isEmpty ? .coordinator : .workers
  }

  private static func workers(_ connection: Connection) throws -> (version: String?, count: Int) {
    let row = try connection.run(SQLFile.clusterWorker).records.first
    return try (row?["version"], row?.count("workers") ?? 0)
  }
}

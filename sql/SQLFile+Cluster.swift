// A ledger that is distributed over the servers of a cluster.
extension SQLFile {
  /// Distributes the tables of a ledger over the workers of a cluster.
  public static let clusterDistribute = SQLFile(
    "cluster_distribute", PackageResources.cluster_distribute_sql)

  /// Copies functions to the workers.
  public static let clusterFunction = SQLFile(
    "cluster_function", PackageResources.cluster_function_sql)

  /// Replaces the function that removes the records of open lines.
  public static let clusterTakeBack = SQLFile(
    "cluster_take_back", PackageResources.cluster_take_back_sql)

  /// The version of the cluster's software, and the number of its workers.
  public static let clusterWorker = SQLFile("cluster_worker", PackageResources.cluster_worker_sql)

  /// What the nodes of a cluster have of the ledger.
  public static let clusterNode = SQLFile("cluster_node", PackageResources.cluster_node_sql)

  /// The distributed tables.
  public static let clusterTable = SQLFile("cluster_table", PackageResources.cluster_table_sql)

  /// The tables that are not distributed.
  public static let clusterLocal = SQLFile("cluster_local", PackageResources.cluster_local_sql)

  /// The nodes that have not completed a commit or do not answer.
  public static let clusterUnsettled = SQLFile(
    "cluster_unsettled", PackageResources.cluster_unsettled_sql)

  /// Hides a distributed ledger behind temporary tables with all of it.
  public static let clusterLedger = SQLFile("cluster_ledger", PackageResources.cluster_ledger_sql)

  /// How many rows come to the coordinator if everything is judged.
  public static let clusterBound = SQLFile("cluster_bound", PackageResources.cluster_bound_sql)

  /// How many rows come to the coordinator if the affected records are judged.
  public static let clusterBoundAffected = SQLFile(
    "cluster_bound_affected", PackageResources.cluster_bound_affected_sql)

  /// The very large chains that were judged.
  public static let clusterLargeChain = SQLFile(
    "cluster_large_chain", PackageResources.cluster_large_chain_sql)

  /// All of these files.
  public static let cluster = [
    clusterDistribute, clusterFunction, clusterTakeBack, clusterLedger, clusterWorker, clusterNode,
    clusterTable, clusterLocal, clusterUnsettled, clusterBound, clusterBoundAffected,
    clusterLargeChain,
  ]
}

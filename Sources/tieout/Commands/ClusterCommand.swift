import ArgumentParser
import Configuration
import Page
import Runs

/// `tieout cluster`: the servers over which a ledger is distributed.
struct ClusterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cluster",
    abstract:
      "Distributes a ledger over the servers of a Citus cluster, or shows how it is distributed.",
    discussion: """
      Few companies need a cluster: docs/scaling.md says when it is worthwhile, and what it costs. --database names \
      the coordinator.
      """,
    subcommands: [Status.self, Distribute.self])

  /// `tieout cluster status`: what is where.
  struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status",
      abstract: "Shows which tables are on which servers, and how evenly their rows are spread.",
      discussion: """
        Numbers of rows are estimates of the last analyze. The skew of a table says how much larger its \
        largest shard is than the average, in per cent.
        """)

    @OptionGroup var common: CommonOptions

    func run() throws {
      try common.useDatabase { database in
        let status = try LedgerCluster(database: database).status()
        try StandardOutput.writeLine(Self.words(of: status))
        for table in status.tables {
          try StandardOutput.write("\n" + TextTable(table).text)
        }
      }
    }

    private static func words(of status: LedgerCluster.Status) -> String {
      let cluster = "\(status.version ?? "Citus") with \(Figure.counted(status.workers, "workers"))"
      return switch status.distribution {
      case .oneServer:
        """
        The server is plain PostgreSQL: the whole ledger is on it. docs/scaling.md says when a cluster is \
        worthwhile, and what it needs.
        """
      case .coordinator:
        "\(cluster). The whole ledger is on the coordinator; tieout cluster distribute distributes it."
      case .workers: "\(cluster). The large tables of the ledger are on the workers."
      }
    }
  }

  /// `tieout cluster distribute`: the tables to the workers.
  struct Distribute: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "distribute",
      abstract: "Distributes the large tables of a ledger over the workers of a cluster.",
      discussion: """
        Evidence, merged transactions and delivery records are distributed by transaction. Everything happens \
        in one transaction, during which no run can start. It cannot be undone: take a \
        backup first.

        Exit status: 0 done · 69 no database · 75 a run is at work; try again · 78 the server is not a coordinator \
        with workers, the role is not a superuser, there are no tables, the ledger is distributed already, or there \
        are fewer shards than workers.
        """)

    @OptionGroup var common: CommonOptions

    @Option(
      help: ArgumentHelp(
        "Number of shards of each table: the largest number of workers that can share the work.",
        valueName: "n"))
    var shards = 32

    func validate() throws {
      if shards < 1 || shards > 1024 { throw ValidationError("--shards must be from 1 to 1024.") }
    }

    func run() throws {
      try common.useDatabase { database in
        try LedgerCluster(database: database).distribute(shards: shards)
      }
      try Ending.explained {
        try StandardOutput.writeResult(
          "The large tables are distributed. tieout cluster status shows where they are.\n")
      }
    }
  }
}

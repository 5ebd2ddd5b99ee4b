import Foundation
import Glibc
import ReconciliationTestSupport
import Testing
import WebTestSupport

extension CrashScene {
  /// The command, and the state that it starts from.
  enum Kind: String, CaseIterable, Sendable {
    /// A night on an empty database, with nothing published.
    case first
    /// A night after a completed earlier night.
    case later
    /// A night after one that was committed and not published. Only the points that publish the
    /// earlier night are tried.
    case unpublished
    /// A night that fetches a catalogue from an address. Only the points of the fetch are tried.
    case fetched
    /// A night for an earlier day, which loads new files after a completed later night.
    case pastDay
    /// `tieout recompute`, after a row that nights carry forward was damaged.
    case recompute
    /// `tieout rebuild`, after a file was withdrawn.
    case rebuild
    /// `tieout forget`, which also removes the editions with the name.
    case forget
    /// `tieout withdraw`.
    case withdraw
    /// `tieout refresh-receipts`.
    case refresh

    /// Whether the command has few points.
    var isSmall: Bool { self == .withdraw || self == .refresh || self == .fetched }
    /// Whether the command writes its files in the same way as a night.
    var isLikeLater: Bool { [.pastDay, .recompute, .rebuild, .forget].contains(self) }
    /// The exit status of an undisturbed run.
    var status: Int32 {
      switch self {
      case .first, .later, .unpublished, .fetched, .pastDay: 2
      case .recompute: 1
      case .rebuild, .forget, .withdraw, .refresh: 0
      }
    }
    /// The folders that the command changes, below the test's folder.
    var folders: [String] {
      switch self {
      case .fetched: ["reports", "inbox/catalog/fetched"]
      case .refresh: ["reports", "inbox/receipts/refreshed"]
      default: ["reports"]
      }
    }

    /// The positions of the points that are tried.
    func range(of lines: [String]) -> Range<Int> {
      switch self {
      case .unpublished:
        return 0..<(lines.firstIndex { $0.hasSuffix("\tbegin run") } ?? lines.count)
      case .fetched:
        let own = lines.indices.filter {
          lines[$0].hasPrefix("question") || lines[$0].contains("catalog/fetched")
        }
        return (own.first ?? 0)..<((own.last ?? -1) + 1)
      default:
        return lines.indices
      }
    }

    func words(_ command: CommandNight, database: String) -> [String] {
      let places = ["--database", database, "--reports", command.night.reports.path]
      let inbox = ["--inbox", command.night.inbox.path]
      switch self {
      case .first, .unpublished, .fetched: return command.words(["--database", database])
      case .later:
        let metrics = command.night.folder.appending(path: "tieout.prom").path
        return command.words(["--database", database, "--metrics-file", metrics])
      case .pastDay:
        return command.words(["--database", database], asOf: "2026-11-17T03:00:00Z")
      case .recompute: return ["recompute"] + places
      case .rebuild: return ["rebuild"] + places + inbox
      case .forget: return ["forget"] + places + ["anna", "--remove-editions"]
      case .withdraw:
        return ["withdraw", "--database", database] + inbox
          + ["deliveries/3.csv", "--because", "wrong"]
      case .refresh: return ["refresh-receipts", "--database", database] + inbox
      }
    }

    func environment(_ command: CommandNight, _ server: ScriptedServer) -> [String: String] {
      switch self {
      case .fetched: ["TIEOUT_CATALOGUE_URLS": server.address("/products.json")]
      case .refresh:
        [
          "TIEOUT_VERIFY_RECEIPT_URL": server.address("/production"),
          "TIEOUT_VERIFY_RECEIPT_SANDBOX_URL": server.address("/sandbox"),
          "TIEOUT_TRUSTED_ROOTS": command.night.trustedRootsInEnvironment,
        ]
      default: [:]
      }
    }

    /// The server that answers in place of Apple or of the catalogue's server.
    func server() throws -> ScriptedServer {
      try ScriptedServer { question in
        if question.headers["if-none-match"] == "\"a\"" { return .answer(304) }
        return question.path == "/products.json"
          ? .answer(200, ["ETag": "\"a\""], "[\"book.emma\", \"book.walden\"]")
          : .answer(
            200, [:],
            """
            {"status":0,"environment":"Production","receipt":{"bundle_id":"com.example.reader",
            "request_date_ms":"1763600000000","in_app":[]}}
            """)
      }
    }

    /// Creates the state before the command.
    func prepare(_ command: CommandNight) throws {
      try putEarlier(command)
      switch self {
      case .first:
        try putLater(command)
      case .later, .fetched, .pastDay:
        try runEarlier(command)
        try putLater(command)
      case .recompute:
        try runEarlier(command)
        try #require(
          try command.value("select count(*) from tieout.carried_missing_delivery") != "0")
        try command.change("update tieout.carried_missing_delivery set quantity = quantity + 1")
      case .unpublished:
        try runEarlier(command, breakingOff: true)
        try putLater(command)
      case .rebuild:
        try runEarlier(command)
        try putLater(command)
        try #require(try command.run().status == 2)
        let database = command.night.database.connectionString
        let withdrawn = try command.start(Kind.withdraw.words(command, database: database)).ended()
        try #require(withdrawn.status == 0, "\(withdrawn.errors)")
      case .forget, .withdraw:
        try runEarlier(command)
      case .refresh:
        for number in 1...3 {
          let text = try command.night.receipt("receipt \(number)")
          try command.night.put(
            "{\"receipt-data\":\"\(text)\",\"account_id\":\"anna\"}\n",
            at: "receipts/raw-\(number).ndjson")
        }
      }
    }

    /// Runs the night before.
    ///
    /// With `breakingOff` it is killed after its commit and before its publication.
    private func runEarlier(_ command: CommandNight, breakingOff: Bool = false) throws {
      var plan = "-"
      if breakingOff {
        let points = command.night.folder.appending(path: "earlier").path
        let place = ScratchPlace(command)
        try #require(try place.run("\(points) ").status == 0)
        let lines = try String(contentsOfFile: points, encoding: .utf8).split(separator: "\n")
        let commit = try #require(lines.lastIndex { $0.hasPrefix("commit") })
        plan = "- kill \(commit + 2)"
      }
      let ended = try command.run(
        asOf: "2026-11-19T03:00:00Z",
        environment: ["TIEOUT_EFFECTS": plan, "TIEOUT_LOAD_CONNECTIONS": "1"])
      try #require(ended.status == (breakingOff ? 137 : 0), "\(ended.errors)")
    }
  }
}

/// A database and a reports folder for a run that only lists its points.
private struct ScratchPlace {
  let command: CommandNight

  init(_ command: CommandNight) {
    self.command = command
  }

  func run(_ effects: String) throws -> Program.Ended {
    let database = try ScratchDatabase()
    let reports = command.night.folder.appending(path: "looked-at")
    defer { try? FileManager.default.removeItem(at: reports) }
    return try command.run(
      "--database", database.connectionString, "--reports", reports.path,
      asOf: "2026-11-19T03:00:00Z",
      environment: ["TIEOUT_EFFECTS": effects, "TIEOUT_LOAD_CONNECTIONS": "1"])
  }
}

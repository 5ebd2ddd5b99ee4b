import Foundation
import Glibc
import ReconciliationTestSupport
import Testing
import WebTestSupport

extension CrashScene {
  /// Which command, and on what.
  enum Kind: String, CaseIterable, Sendable {
    /// A night on an empty database, with nothing published.
    case first
    /// A night that builds on an earlier one, in the usual way.
    case later
    /// A night after one that could commit and not show its folder; of it what makes that good.
    case unpublished
    /// A night that gets a catalogue from an address; of it what does that.
    case fetched
    /// `tieout rebuild`, after a file was withdrawn.
    case rebuild
    /// `tieout forget`.
    case forget
    /// `tieout withdraw`.
    case withdraw
    /// `tieout refresh-receipts`.
    case refresh

    /// Whether it is over soon.
    var isSmall: Bool { self == .withdraw || self == .refresh || self == .fetched }
    /// Whether it writes its files just as a night does.
    var isLikeLater: Bool { self == .rebuild || self == .forget }
    /// How an undisturbed run ends.
    var status: Int32 {
      switch self {
      case .first, .later, .unpublished, .fetched: 2
      case .rebuild, .forget, .withdraw, .refresh: 0
      }
    }
    /// What it changes on disk, below the test's folder.
    var folders: [String] {
      switch self {
      case .fetched: ["reports", "inbox/catalog/fetched"]
      case .refresh: ["reports", "inbox/receipts/refreshed"]
      default: ["reports"]
      }
    }

    /// The points that are wanted, by their places.
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
      case .rebuild: return ["rebuild"] + places + inbox
      case .forget: return ["forget"] + places + ["anna"]
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

    /// Who answers in place of Apple, or of whoever has the catalogue.
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

    /// Makes what is there before.
    func prepare(_ command: CommandNight) throws {
      try putEarlier(command)
      switch self {
      case .first:
        try putLater(command)
      case .later, .fetched:
        try runEarlier(command)
        try putLater(command)
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
        try command.createTables()
        for number in 1...3 {
          let text = try command.night.receipt("receipt \(number)")
          try command.night.put(
            "{\"receipt-data\":\"\(text)\",\"account_id\":\"anna\"}\n",
            at: "receipts/raw-\(number).ndjson")
        }
      }
    }

    /// The night before, which can be killed when it is committed and not yet shown.
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

/// A database and a folder of reports for a run that is only looked at.
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

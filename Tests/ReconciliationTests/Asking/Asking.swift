import Configuration
import Foundation
import Logging
import ReconciliationTestSupport
import Synchronization
import Testing
import Waiting
import WebClient
import WebTestSupport
@testable import Remote

/// The App Store server of one test, and a refresh that asks it without really waiting.
final class Asking {
  let night: TestNight
  let server: ScriptedServer
  /// The times that the program would have waited.
  let waits = Waits()
  var limit: Int?
  var stop = StopRequest()
  var secret: SharedSecret?

  final class Waits: Sendable {
    private let all = Mutex<[Duration]>([])
    private let clock = Mutex(ContinuousClock.now)

    var pace: Pace {
      Pace(
        now: { self.clock.withLock { $0 } },
        wait: { duration in
          self.all.withLock { $0.append(duration) }
          self.clock.withLock { $0 += duration }
        },
        chance: { 1 })
    }

    var durations: [Duration] { all.withLock { $0 } }
    var sum: Duration { durations.reduce(.zero, +) }
  }

  init(_ reply: @escaping @Sendable (ScriptedServer.Question) -> ScriptedServer.Reply) throws {
    night = try TestNight()
    server = try ScriptedServer(reply)
    night.settings.verifyReceiptURL = server.address("/production")
    night.settings.verifyReceiptSandboxURL = server.address("/sandbox")
    night.settings.refreshPerSecond = 1000
  }

  /// Puts envelopes with raw receipts into the inbox.
  func put(_ receipts: [String], at path: String = "receipts/raw.ndjson") throws {
    let lines = try receipts.map {
      "{\"receipt-data\":\"\(try night.receipt($0))\",\"account_id\":\"anna\"}\n"
    }
    try night.put(lines.joined(), at: path)
  }

  /// Runs the refresh.
  func refresh() throws -> RefreshSummary {
    var patience = WebPatience()
    patience.total = .milliseconds(700)
    let (settings, secret, stop, pace) = (night.settings, secret, stop, waits.pace)
    return try ReceiptRefresh(
      settings: settings, database: night.database.connectionString,
      logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }), stop: stop,
      limit: limit
    ) {
      ReceiptInquiry(
        settings: settings, secret: secret, version: "test", stop: stop, pace: pace,
        patience: patience)
    }.run()
  }

  /// The answers in the inbox, by path.
  func answers() throws -> [String: String] {
    let folder = night.inbox.appending(path: "receipts/refreshed").path
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    var answers: [String: String] = [:]
    for path in paths {
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(path)"),
        FileManager.default.fileExists(atPath: "\(folder)/\(path)"), path.contains("/")
      else { continue }
      answers[path] = String(decoding: data, as: UTF8.self)
    }
    return answers
  }

  /// A usable answer with one transaction.
  static func answer(
    _ transaction: String = "1", status: Int = 0, environment: String = "Production"
  ) -> String {
    """
    {"status":\(status),"environment":"\(environment)","receipt":{"bundle_id":"com.example.reader",
    "request_date_ms":"1763600000000","in_app":[{"transaction_id":"\(transaction)",
    "original_transaction_id":"\(transaction)","product_id":"book","quantity":"1",
    "purchase_date_ms":"1763500000000","original_purchase_date_ms":"1763500000000"}]}}
    """
  }
}

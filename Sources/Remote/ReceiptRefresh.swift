package import Configuration
import FileSystem
import Foundation
import Inbox
import Intake
import Ledger
package import Logging
import PostgreSQL
package import Runs
package import Waiting
import WebClient

/// The result of asking Apple again.
package struct RefreshSummary: Sendable, Equatable {
  /// The number of different raw receipts in the inbox.
  package internal(set) var known = 0
  /// The number of these receipts that were due.
  package internal(set) var due = 0
  /// The number of answers that contain a receipt and are now in the inbox.
  package internal(set) var refreshed = 0
  /// The numbers of final answers without a receipt, by Apple's status.
  package internal(set) var refused: [Int: Int] = [:]
  /// The number of receipts without a final answer; they are asked about again the next time.
  package internal(set) var unanswered = 0
  /// Whether the other receipts were not asked about because the endpoint failed several times in a
  /// row.
  package internal(set) var gaveUp = false
  /// Whether this was a dry run, which asks nothing.
  package internal(set) var isDryRun = false

  /// Whether some receipt that was asked about could not be refreshed.
  package var isIncomplete: Bool { unanswered > 0 || !refused.isEmpty || gaveUp }
}

/// `refresh-receipts`: asks Apple again about the raw receipts of the inbox.
///
/// Apple answers with the present state of the receipt's account in the app. So a new answer
/// contains later purchases, renewals and refunds. It does not replace earlier answers: finished
/// consumables are missing in it. The answers are files of the inbox; the next night loads them.
package struct ReceiptRefresh {
  /// The number of receipts in a row without an answer after which no more are sent.
  static let patienceInARow = 5

  let settings: Settings
  let database: String
  let logger: Logger
  let stop: StopRequest
  let limit: Int?
  let progress: @Sendable (RunProgress) -> Void
  let inquiry: () -> ReceiptInquiry

  /// Prepares to ask.
  ///
  /// - Parameters:
  ///   - database: A libpq connection string, or empty for libpq's own environment.
  ///   - secret: The app's shared secret, which Apple requires for receipts with auto-renewable
  ///     subscriptions.
  ///   - version: The program's version, which is sent to the server.
  ///   - limit: The maximum number of receipts to ask about; nil: all that are due.
  package init(
    settings: Settings, database: String, secret: SharedSecret?, version: String, logger: Logger,
    stop: StopRequest, limit: Int? = nil,
    progress: @escaping @Sendable (RunProgress) -> Void = { _ in }
  ) {
    self.init(
      settings: settings, database: database, logger: logger, stop: stop, limit: limit,
      progress: progress
    ) {
      ReceiptInquiry(
        settings: settings, secret: secret, version: version, stop: stop, pace: Pace(stop: stop))
    }
  }

  init(
    settings: Settings, database: String, logger: Logger, stop: StopRequest, limit: Int?,
    progress: @escaping @Sendable (RunProgress) -> Void = { _ in },
    inquiry: @escaping () -> ReceiptInquiry
  ) {
    self.settings = settings
    self.database = database
    self.logger = logger
    self.stop = stop
    self.limit = limit
    self.progress = progress
    self.inquiry = inquiry
  }

  /// Asks about the receipts that are due.
  ///
  /// - Throws: ``ReconciliationError`` or `PostgreSQLError`; earlier answers are kept.
  package func run() throws -> RefreshSummary {
    let roots = try settings.roots()
    let lock = try RunLock(database, of: .refresh)
    defer { withExtendedLifetime(lock) {} }
    let memory = try Connection(database, applicationName: "tieout refresh-receipts")
    let list = try Connection(database, applicationName: "tieout refresh-receipts")
    do {
      try Schema.bringUpToDate(memory)
      let intake = IntakeSettings(
        settings, trusting: roots, naming: try NameKeeping(settings, in: memory).pseudonyms)
      return try work(
        QuestionList(
          list: list, memory: memory, refreshAfterHours: settings.refreshAfterHours), intake,
        leavingOut: try Withdrawal.locations(in: memory))
    } catch {
      guard stop.isMade else { throw error }
      throw ReconciliationError(
        .stopped, "Stopped: the answers received so far are kept. Start it again for the rest.")
    }
  }

  private func work(
    _ questions: QuestionList, _ intake: IntakeSettings, leavingOut withdrawn: Set<[UInt8]>
  ) throws -> RefreshSummary {
    let inbox = try Inbox.open(settings)
    let files = try Inbox.files(of: inbox).files.filter {
      $0.folder == .receipts && !$0.path.hasPrefix("\(RefreshedAnswer.folder)/")
        && !withdrawn.contains(Array($0.location.utf8))
    }
    // Most files contain Apple's answers and do not have to be read again.
    var holders: [InboxFile] = []
    try forEachReceipt(of: files, intake, step: "looking for receipts") { receipt, file in
      let isNext = holders.last.map { !$0.path.utf8.elementsEqual(file.path.utf8) } ?? true
      if isNext { holders.append(file) }
      try questions.add(receipt)
      return true
    }
    var summary = RefreshSummary()
    (summary.known, summary.due) = try questions.close()
    summary.isDryRun = settings.dryRun
    let wanted = min(limit ?? .max, summary.due)
    guard !settings.dryRun, wanted > 0 else { return summary }
    RefreshedAnswer.removeRemains(in: inbox)
    let inquiry = inquiry()
    var asked = 0
    var failures = 0
    try forEachReceipt(of: holders, intake, step: nil) { receipt, file in
      guard let receipt = try questions.take(receipt) else { return true }
      progress(
        RunProgress(step: "asking", done: Int64(asked), all: Int64(wanted), isBytes: false))
      let isServerWorking = try ask(
        about: receipt, in: file, of: inbox, inquiry, questions, &summary)
      asked += 1
      failures = isServerWorking ? 0 : failures + 1
      if failures >= Self.patienceInARow, asked < wanted {
        summary.gaveUp = true
        logger.warning(
          "No answer for \(failures) receipts in a row: the rest is left for the next time.")
      }
      return asked < wanted && !summary.gaveUp
    }
    return summary
  }

  /// Asks about one receipt.
  ///
  /// - Returns: Whether the server works: false if a failure is about the server and not about the
  ///   receipt, so that it counts towards giving up.
  private func ask(
    about receipt: RawReceipt, in file: InboxFile, of inbox: OpenFolder,
    _ inquiry: ReceiptInquiry, _ questions: QuestionList, _ summary: inout RefreshSummary
  ) throws -> Bool {
    let place = "\(file.path):\(receipt.line)"
    switch try inquiry.ask(about: receipt.bytes) {
    case .answered(21004, _, _):
      throw ReconciliationError(
        .configuration,
        """
        Apple does not accept the shared secret (status 21004, for \(place)). Give the app's own with \
        shared_secret_file or TIEOUT_SHARED_SECRET; App Store Connect shows it under App Information. For several \
        apps, give the primary shared secret of their account, under Users and Access.
        """)
    case .answered(let status, let bytes, let isSandbox) where [0, 21006].contains(status):
      let path = try RefreshedAnswer(receipt: receipt, answer: bytes, receivedAt: .now)
        .put(into: inbox)
      try questions.note(receipt, status: status, isSandbox: isSandbox, path: path)
      summary.refreshed += 1
      logger.debug(
        "asked", metadata: ["receipt": "\(place)", "status": .stringConvertible(status)])
    case .answered(let status, _, let isSandbox):
      try questions.note(receipt, status: status, isSandbox: isSandbox, path: nil)
      summary.refused[status, default: 0] += 1
      logger.warning("Apple refuses the receipt of \(place) with status \(status).")
    case .unanswered(let reason, let isOfReceipt):
      summary.unanswered += 1
      logger.warning("No answer about the receipt of \(place): \(reason).")
      return isOfReceipt
    }
    return true
  }

  /// Calls `body` with the raw receipts of the files, in their order, until it returns false.
  private func forEachReceipt(
    of files: [InboxFile], _ intake: IntakeSettings, step: String?,
    _ body: (RawReceipt, InboxFile) throws -> Bool
  ) throws {
    let all = files.lazy.map(\.bytes).clampedSum
    var done: Int64 = 0
    for file in files {
      if let step { progress(RunProgress(step: step, done: done, all: all)) }
      try stop.check()
      let reader = RawReceiptReader(file.place, refusal: file.refusal, settings: intake)
      while let receipts = reader.next() {
        for receipt in receipts {
          guard try body(receipt, file) else { return }
          try stop.check()
        }
        try stop.check()
      }
      done = [done, file.bytes].clampedSum
    }
  }
}

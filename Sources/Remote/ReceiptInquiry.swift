import Configuration
import Foundation
import Intake
import Runs
import Waiting
import WebClient

/// Asks Apple's verifyReceipt about one receipt after another.
///
/// Apple explains the statuses in "Validating receipts with the App Store" and in the reference of
/// `responseBody.Status` (developer.apple.com/documentation/appstorereceipts/status). Production is
/// asked first; after status 21007 the sandbox is asked. 21002, 21005, 21009 and 21100 to 21199 can
/// be temporary, unless `is-retryable` is false.
final class ReceiptInquiry {
  /// The result of asking about one receipt.
  enum Outcome {
    /// A final answer: its bytes as received, and whether the sandbox gave it.
    case answered(status: Int, bytes: [UInt8], isSandbox: Bool)
    /// No final answer after the last attempt; the reason why that attempt failed, and whether it
    /// is about this receipt and not about the server.
    case unanswered(String, isOfReceipt: Bool = false)
  }

  /// The number of attempts for one receipt before it is left for the next time.
  static let attempts = 5
  /// The longest wait that a server may demand; after a longer demand there is no further attempt.
  static let longestWait: Duration = .seconds(300)

  private let production: String
  private let sandbox: String
  private let secret: SharedSecret?
  private let limitBytes: Int
  private let client: WebClient
  private let stop: StopRequest
  private let pace: Pace
  private let patience: WebPatience
  private let interval: Duration
  private var earliestNext: ContinuousClock.Instant?

  init(
    settings: Settings, secret: SharedSecret?, version: String, stop: StopRequest, pace: Pace,
    patience: WebPatience = WebPatience()
  ) {
    production = settings.verifyReceiptURL
    sandbox = settings.verifyReceiptSandboxURL
    self.secret = secret
    // The envelope around the answer must also fit into the limit.
    limitBytes = max(settings.documentLimitBytes - (256 << 10), settings.documentLimitBytes / 2)
    client = WebClient(userAgent: "tieout/\(version)") { stop.isMade }
    self.stop = stop
    self.pace = pace
    self.patience = patience
    interval = .seconds(1) / settings.refreshPerSecond
  }

  /// Asks until there is a final answer, until another attempt would be pointless, or until all
  /// attempts are used.
  func ask(about receipt: [UInt8]) throws -> Outcome {
    let body = try self.body(for: receipt)
    let first = try ask(production, body, isSandbox: false)
    guard case .answered(21007, _, _) = first else { return first }
    return try ask(sandbox, body, isSandbox: true)
  }

  private func body(for receipt: [UInt8]) throws -> [UInt8] {
    var members: [String: Any] = [
      "receipt-data": Data(receipt).base64EncodedString(), "exclude-old-transactions": false,
    ]
    members["password"] = secret?.text
    return try [UInt8](
      JSONSerialization.data(
        withJSONObject: members, options: [.sortedKeys, .withoutEscapingSlashes]))
  }

  /// The result of one attempt.
  private enum Attempt {
    case final(Int, [UInt8])
    /// A temporary failure, so another attempt is useful; with the status, if Apple answered with
    /// one.
    case passing(String, after: Duration?, status: Int?, bytes: [UInt8])
    /// A failure that another attempt would repeat: HTTP status 403 says nothing about the receipt,
    /// and an answer that is too large says nothing about the server.
    case pointless(String, isOfReceipt: Bool = false)
  }

  private func ask(_ address: String, _ body: [UInt8], isSandbox: Bool) throws -> Outcome {
    var words = ""
    var malformed: [UInt8]?
    var told: Duration?
    for attempt in 1...Self.attempts {
      if attempt > 1 { pace.wait(max(told ?? .zero, pace.pause(beforeAttempt: attempt))) }
      keepToRate()
      try stop.check()
      switch try once(address, body) {
      case .final(let status, let bytes):
        return .answered(status: status, bytes: bytes, isSandbox: isSandbox)
      case .pointless(let reason, let isOfReceipt):
        return .unanswered(reason, isOfReceipt: isOfReceipt)
      case .passing(let reason, let after, let status, let bytes):
        if let after, after > Self.longestWait { return .unanswered(reason) }
        (words, told) = (reason, after)
        malformed = status == 21002 ? bytes : nil
      }
    }
    // 21002 means both "malformed" and "try again". After the last attempt it counts as
    // "malformed".
    if let malformed {
      return .answered(status: 21002, bytes: malformed, isSandbox: isSandbox)
    }
    return .unanswered(words)
  }

  private func keepToRate() {
    if let earliestNext {
      let left = earliestNext - pace.now()
      if left > .zero { pace.wait(left) }
    }
    earliestNext = pace.now() + interval
  }

  private func once(_ address: String, _ body: [UInt8]) throws -> Attempt {
    var request = WebRequest(address: address, limitBytes: limitBytes)
    request.headers = ["Content-Type: application/json", "Accept: application/json"]
    request.body = body
    request.patience = patience
    let answer: WebAnswer
    do { answer = try client.ask(request) } catch {
      try stop.check()
      if error.code == .tooLarge {
        return .pointless(
          "the answer is larger than document_limit allows; raise it", isOfReceipt: true)
      }
      return .passing(error.message, after: nil, status: nil, bytes: [])
    }
    switch answer.status {
    case 200: break
    case 429, 500...599:
      return .passing(
        "the server answered \(answer.status)",
        after: answer.retryAfter > 0 ? .seconds(answer.retryAfter) : nil, status: nil, bytes: [])
    default:
      // 413: the server, or a proxy before it, takes no question of this length.
      return .pointless(
        "the server answered \(answer.status)", isOfReceipt: answer.status == 413)
    }
    guard let read = ReceiptAnswer(answer.body) else {
      return .passing(
        "the server's answer is not a verifyReceipt answer", after: nil, status: nil, bytes: [])
    }
    let canPass = [21002, 21005, 21009].contains(read.status) || (21100...21199 ~= read.status)
    guard canPass, read.isRetryable != false else { return .final(read.status, answer.body) }
    return .passing(
      "Apple answered \(read.status)", after: nil, status: read.status, bytes: answer.body)
  }
}

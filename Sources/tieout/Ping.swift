import Configuration
import Foundation
import Logging
import Waiting
import WebClient

/// Tells a monitor when a night starts and how it ends.
///
/// The monitor expects a request every day, so it also alerts if a night never started. The first
/// request goes to the address with `/start` at the end of its path. The second one goes to the
/// address itself after status 0, and otherwise to the address with `/` and the exit status. This
/// is the interface of healthchecks.io (https://healthchecks.io/docs/http_api/). No data of the
/// night is sent.
struct Ping {
  private let address: String
  /// The address without its path, because the path is usually its secret.
  private let shown: String

  init(address: String) {
    self.address = address
    let parts = URLComponents(string: address)
    let port = parts?.port.map { ":\($0)" } ?? ""
    shown = "\(parts?.scheme ?? "http")://\(parts?.host ?? "")\(port)"
  }

  /// Tells that a night starts.
  func tellStart(_ logger: Logger) {
    tell("start", of: "the start", tries: 1, logger) { StopRequest.ofProcess.isMade }
  }

  /// Tells how a night ended.
  ///
  /// Without this request the monitor would alert although the night is done, so a failed request
  /// is sent a second time.
  func tellEnd(_ status: Int32, _ logger: Logger) {
    // Sent after a stop request too, because a person has to learn that the night was stopped.
    tell(status == 0 ? nil : "\(status)", of: "the end", tries: 2, logger) {
      StopSignals.areHeardAfterWork
    }
  }

  /// Sends a request to the address; a failure is a warning, because the night does not depend on
  /// it.
  private func tell(
    _ signal: String?, of what: String, tries: Int, _ logger: Logger,
    until shouldStop: @escaping () -> Bool
  ) {
    var request = WebRequest(address: address(with: signal), limitBytes: 1 << 20)
    request.followsRedirects = true
    request.takesNamesFromNetrc = true
    request.patience.connect = Patience.monitor / 2
    request.patience.total = Patience.monitor
    let client = WebClient(userAgent: "tieout/\(Version.text)", shouldStop: shouldStop)
    var words = ""
    for _ in 0..<tries {
      do {
        let answer = try client.ask(request)
        if (200..<300).contains(answer.status) { return }
        words = "the server answered \(answer.status)"
      } catch {
        words = error.message
      }
    }
    logger.warning(
      """
      ping_url: the monitor at \(shown) was not reached at \(what) of this run: \
      \(words.replacing(address, with: shown)). The run continues without the monitor.
      """)
  }

  /// The address with a word at the end of its path; a query stays behind it.
  private func address(with signal: String?) -> String {
    guard let signal, var parts = URLComponents(string: address) else { return address }
    let path = parts.percentEncodedPath
    parts.percentEncodedPath = (path.hasSuffix("/") ? path : "\(path)/") + signal
    return parts.string ?? address
  }
}

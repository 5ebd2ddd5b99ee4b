import Dispatch
import Glibc
import Reconciliation

/// SIGTERM, SIGINT and SIGHUP as a wish to stop.
final class StopSignals {
  private let sources: [any DispatchSourceSignal]

  init(_ stop: StopRequest) {
    let queue = DispatchQueue(label: "signals")
    sources = [SIGTERM, SIGINT, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { stop.make() }
      source.resume()
      return source
    }
    // A connection that breaks is an error of its statement, not the program's end.
    signal(SIGPIPE, SIG_IGN)
  }

  func end() {
    for source in sources { source.cancel() }
  }
}

import CLibPQ
import Waiting

/// Cancels the running SQL statement of one connection, from any thread.
///
/// libpq documents `PQcancel` as safe to call from any thread and signal handler.
final class Cancellation: @unchecked Sendable {
  private let handle: OpaquePointer?

  init(_ handle: OpaquePointer?) {
    self.handle = handle
  }

  deinit {
    PQfreeCancel(handle)
  }

  /// Asks the server to cancel, and waits a moment for the request to arrive.
  ///
  /// If the server cancels, the SQL statement ends with an error. If the request cannot be sent,
  /// the wait for the statement ends at its limit.
  func cancel() {
    _ = try? Aside.call(
      Wait(atMost: .seconds(1), afterStop: .seconds(2)),
      { [self] in
        var message = [CChar](repeating: 0, count: 256)
        return PQcancel(handle, &message, Int32(message.count))
      }, late: { _ in })
  }
}

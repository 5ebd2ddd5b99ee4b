import CLibPQ

/// Cancels the running statement of one connection, from any thread.
///
/// libpq documents `PQcancel` as safe to call from any thread and signal handler.
public final class Cancellation: @unchecked Sendable {
  private let handle: OpaquePointer?

  init(_ handle: OpaquePointer?) {
    self.handle = handle
  }

  deinit {
    PQfreeCancel(handle)
  }

  /// Asks the server to cancel; whether it does shows as the statement's error.
  public func cancel() {
    var message = [CChar](repeating: 0, count: 256)
    _ = PQcancel(handle, &message, Int32(message.count))
  }
}

/// The receivers of the private server's messages.
package struct ServerReport: Sendable {
  /// Receives the steps that take time.
  let info: @Sendable (String) -> Void
  /// Receives messages for the operator: which process a wait is for, and what was ended by force.
  let notice: @Sendable (String) -> Void

  /// Makes receivers; messages without a receiver are dropped.
  ///
  /// - Parameters:
  ///   - info: Called with each step that takes time.
  ///   - notice: Called with messages for the operator: which process a wait is for, and what was
  ///     ended by force.
  package init(
    info: @escaping @Sendable (String) -> Void = { _ in },
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.info = info
    self.notice = notice
  }
}

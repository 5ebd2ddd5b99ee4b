/// The reason why a file as a whole, or its rest, could not be used.
public struct FileRejection: Sendable, Equatable {
  /// The reason, from the closed list.
  package let reason: RejectionReason
  /// The problem and the advice, in one sentence.
  package let detail: String
}

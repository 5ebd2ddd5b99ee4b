/// The progress of a run.
public struct RunProgress: Sendable {
  /// The name of the current step.
  public let step: String
  /// The part of the step that is finished; nil where it is unknown.
  public var done: Int64?
  /// The whole amount of the step's work; nil where it is unknown.
  public var all: Int64?
  /// Whether the amounts are bytes; otherwise they are questions.
  public var isBytes = true
  /// The usual duration of this step and the later ones; nil where it is unknown.
  public var usual: Usual?

  /// The durations of the last finished run, unchanged, because this run's size is unknown.
  public struct Usual: Sendable, Equatable {
    /// Seconds of this step; nil if that run did not have this step.
    public let step: Double?
    /// Seconds of all later steps.
    public let later: Double
  }
}

/// The progress of a run.
package struct RunProgress: Sendable {
  /// The name of the current step.
  package let step: String
  /// The part of the step that is finished; nil where it is unknown.
  package var done: Int64?
  /// The whole amount of the step's work; nil where it is unknown.
  package var all: Int64?
  /// Whether the amounts are bytes; otherwise they are numbers of receipts to ask Apple about.
  package var isBytes: Bool
  /// The usual duration of this step and the later ones; nil where it is unknown.
  package var usual: Usual?

  /// Describes a step.
  package init(
    step: String, done: Int64? = nil, all: Int64? = nil, isBytes: Bool = true, usual: Usual? = nil
  ) {
    self.step = step
    self.done = done
    self.all = all
    self.isBytes = isBytes
    self.usual = usual
  }

  /// The durations of the last finished run, unchanged, because this run's size is unknown.
  package struct Usual: Sendable, Equatable {
    /// Seconds of this step; nil if that run did not have this step.
    package let step: Double?
    /// Seconds of all later steps.
    package let later: Double
  }
}

/// Where a run is.
public struct RunProgress: Sendable {
  /// The step, by its name.
  public let step: String
  /// What of it is done; nil where that cannot be told.
  public var done: Int64?
  /// All there is to do; nil where that cannot be told.
  public var all: Int64?
  /// Whether these are bytes, and not questions.
  public var isBytes = true
  /// How long it usually takes from here; nil where nothing is known.
  public var usual: Usual?

  /// What the last finished run took, as it was: nobody knows how much larger this one is.
  public struct Usual: Sendable, Equatable {
    /// Seconds of this step; nil: that run had no such step.
    public let step: Double?
    /// Seconds of all steps that come after it.
    public let later: Double
  }
}

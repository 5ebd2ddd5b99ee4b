/// Where a run is.
public struct RunProgress: Sendable {
  /// The step, by its name.
  public let step: String
  /// What of it is done; nil where that cannot be told.
  public var done: Int64?
  /// All there is to do.
  public var all: Int64?
  /// Whether these are bytes, and not questions.
  public var isBytes = true
}

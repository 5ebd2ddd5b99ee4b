/// Where a run is.
public struct RunProgress: Sendable {
  /// The step, by its name.
  public let step: String
  /// What of it is done, in bytes; nil where that cannot be told.
  public var done: Int64?
  /// All there is to do, in bytes.
  public var all: Int64?
}

/// One thing that can be set: its names, what it means, and how its value is written.
///
/// What reads settings and what documents them both go by `Setting.all`, so that neither can know
/// of a setting that the other lacks.
public struct Setting: Sendable {
  /// The name in `tieout.yaml`.
  public let key: String
  /// The option of the command line, if there is one.
  public let option: String?
  /// What it means, in one line.
  public let meaning: String
  /// What holds when nothing is said, in words; nil where the default is a value.
  public let unset: String?
  /// What may be written.
  public let allowed: String
  /// A value as it may stand in `tieout.yaml`.
  public let example: String

  /// Whether its value may hold a password or be a secret, so that no other program is to see it.
  public let mayHoldSecret: Bool

  let read: @Sendable (GivenValue, inout Settings) throws(Complaint) -> Void
  let write: @Sendable (Settings) -> String?

  /// The environment variable.
  public var variable: String { Setting.variablePrefix + key.uppercased() }

  /// The default as it may stand in `tieout.yaml`; nil where the default is not to say anything.
  public var defaultText: String? { write(Settings()) }

  /// The value in some settings as it may stand in `tieout.yaml`; nil where nothing is said.
  ///
  /// A connection string is not shown, as it may hold a password: this text is fit for a log.
  public func text(in settings: Settings) -> String? { write(settings) }

  /// The setting of that name.
  public static func named(_ key: String) -> Setting? { all.first { $0.key == key } }

  static let variablePrefix = "TIEOUT_"
}

extension Setting {
  /// A setting that always has a value.
  init<Value: Sendable>(
    _ key: String,
    _ value: any WritableKeyPath<Settings, Value> & Sendable,
    _ kind: ValueKind<Value>,
    option: String? = nil,
    mayHoldSecret: Bool = false,
    example: String,
    meaning: String
  ) {
    self.init(
      key: key, option: option, meaning: meaning, unset: nil, allowed: kind.allowed,
      example: example, mayHoldSecret: mayHoldSecret,
      read: { given, settings throws(Complaint) in settings[keyPath: value] = try kind.read(given)
      },
      write: { kind.write($0[keyPath: value]) })
  }

  /// A setting that may be left unsaid.
  init<Value: Sendable>(
    _ key: String,
    _ value: any WritableKeyPath<Settings, Value?> & Sendable,
    _ kind: ValueKind<Value>,
    option: String? = nil,
    mayHoldSecret: Bool = false,
    unset: String,
    example: String,
    meaning: String
  ) {
    self.init(
      key: key, option: option, meaning: meaning, unset: unset, allowed: kind.allowed,
      example: example, mayHoldSecret: mayHoldSecret,
      read: { given, settings throws(Complaint) in settings[keyPath: value] = try kind.read(given)
      },
      write: { $0[keyPath: value].map(kind.write) })
  }
}

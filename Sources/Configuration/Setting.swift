/// One setting: its names, its meaning, and the form of its value.
///
/// The program reads the settings in `Setting.all`. People write `docs/configuration.md` and
/// `tieout.example.yaml`, and tests compare both with `Setting.all`. Only the tests need
/// ``meaning``, ``unset`` and ``example``.
package struct Setting: Sendable {
  /// The name in `tieout.yaml`.
  package let key: String
  /// The option of the command line, if there is one.
  package let option: String?
  /// Its meaning, in one line.
  package let meaning: String
  /// The behaviour without a value, in words; nil if the default is a value.
  package let unset: String?
  /// The allowed values, in words.
  package let allowed: String
  /// A value in the form of `tieout.yaml`.
  package let example: String

  /// Whether its value may be or contain a secret, so that no other program may see it.
  package let mayHoldSecret: Bool

  let read: @Sendable (GivenValue, inout Settings) throws(Complaint) -> Void
  let write: @Sendable (Settings) -> String?

  /// The environment variable.
  package var variable: String { Setting.variablePrefix + key.uppercased() }

  /// The value in some settings, in the form of `tieout.yaml`; nil if there is no value to show.
  ///
  /// A connection string is not shown, because it may contain a password. So this text may be
  /// logged.
  package func text(in settings: Settings) -> String? { write(settings) }

  /// The setting with this name.
  package static func named(_ key: String) -> Setting? { all.first { $0.key == key } }

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

  /// A setting that may have no value.
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

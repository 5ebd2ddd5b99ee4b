/// One setting: its names, and the form of its value.
///
/// The program reads the settings in `Setting.all`. People write their meaning in
/// `docs/configuration.md` and `tieout.example.yaml`, and tests compare both with `Setting.all`.
package struct Setting: Sendable {
  /// The name in `tieout.yaml`.
  package let key: String
  /// The option of the command line, if there is one.
  package let option: String?
  /// The allowed values, in words.
  package let allowed: String

  /// Whether its value may be or contain a secret, so that no other program may see it.
  package let mayHoldSecret: Bool

  let read: @Sendable (GivenValue, inout Settings) throws(Complaint) -> Void

  /// The environment variable.
  package var variable: String { Setting.variablePrefix + key.uppercased() }

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
    mayHoldSecret: Bool = false
  ) {
    self.init(
      key: key, option: option, allowed: kind.allowed, mayHoldSecret: mayHoldSecret,
      read: { given, settings throws(Complaint) in settings[keyPath: value] = try kind.read(given)
      })
  }

  /// A setting that may have no value.
  init<Value: Sendable>(
    _ key: String,
    optional value: any WritableKeyPath<Settings, Value?> & Sendable,
    _ kind: ValueKind<Value>,
    option: String? = nil,
    mayHoldSecret: Bool = false
  ) {
    self.init(
      key: key, option: option, allowed: kind.allowed, mayHoldSecret: mayHoldSecret,
      read: { given, settings throws(Complaint) in settings[keyPath: value] = try kind.read(given)
      })
  }
}

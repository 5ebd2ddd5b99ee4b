package import Configuration
import Inbox
package import Intake
import LibCrypto
package import PostgreSQL
import ReconciliationSQL
import Runs

/// How the tables keep names of accounts and devices, and whether the settings agree with it.
package struct NameKeeping {
  /// Converts each name to the text that the tables keep.
  package let pseudonyms: Pseudonyms
  private let mode: Privacy
  /// A code that shows whether the key is the same; nil if there is no key.
  private let keyCheck: String?
  /// Whether the tables were made with another mode or key.
  package let isChanged: Bool

  /// Reads how the tables were made.
  ///
  /// - Parameter mayChange: Whether the tables are about to be made again.
  /// - Throws: ``ReconciliationError`` with `configuration` if settings and tables disagree;
  ///   `ConfigurationError` for a key that cannot be read.
  package init(_ settings: Settings, in database: Connection, mayChange: Bool = false) throws {
    let key = try Self.key(of: settings)
    mode = settings.privacy
    keyCheck = key.map {
      $0.code(for: "tieout privacy key".utf8).hexadecimal
    }
    guard let made = try database.run(SQLFile.privacyMode).records.first, let salt = made["salt"]
    else {
      throw ReconciliationError(.schema, "The table privacy has lost its row. Restore a backup.")
    }
    let isSame = made["mode"] == mode.rawValue && made["key_check"] == keyCheck
    isChanged = made["mode"] != nil && !isSame
    guard !isChanged || mayChange else {
      let words =
        made["mode"] == mode.rawValue
        ? "hashed with another key" : "kept with privacy: \(made.text("mode"))"
      throw ReconciliationError(
        .configuration,
        """
        privacy: in the tables, names of accounts and devices are \(words). Restore the setting, or \
        build the tables again with the new one: tieout rebuild.
        """)
    }
    var tokens: [[UInt8]: String] = [:]
    for row in try database.run(SQLFile.privacyForgottenName).records {
      let digest = try row.required("digest") { FileHash(hexadecimal: $0) }
      tokens[digest.bytes] = row.text("token")
    }
    pseudonyms = Pseudonyms(
      key: key, salt: HMACKey(salt.utf8), tokens: tokens)
  }

  /// The text that the tables keep of a name with `privacy: hash`; nil without it.
  package static func hashed(_ name: String, _ settings: Settings) throws -> String? {
    guard let key = try key(of: settings) else { return nil }
    return Pseudonyms(key: key, salt: HMACKey([]), tokens: [:]).hashed(name)
  }

  private static func key(of settings: Settings) throws -> HMACKey? {
    guard settings.privacy == .hash else { return nil }
    guard let file = settings.privacyKeyFile else {
      throw ReconciliationError(
        .configuration,
        """
        privacy: hash needs a key; name the file that contains it with privacy_key_file. To make a \
        key: openssl rand -hex 32
        """)
    }
    return HMACKey(try PrivacyKey(file: file).bytes)
  }

  /// Records how the tables are made, in the run's transaction.
  package func note(in database: Connection) throws {
    try database.run(SQLFile.privacyNote, [mode.rawValue, keyCheck])
  }
}

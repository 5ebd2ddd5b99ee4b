/// The names of the App Store's environments.
enum Environment {
  /// The production environment, which is also the meaning of a missing environment.
  static var production: Bytes { Bytes(literal: "Production") }

  /// The code of an environment in the ledger.
  ///
  /// Nearly all evidence is of Production, so its code is the shortest text, the empty one.
  ///
  /// sql/schema/schema_usual.sql has the same rule.
  static func code(of environment: Bytes) -> Bytes {
    environment.equals("Production") ? Bytes(literal: "") : environment
  }

  /// The environment that a text means: notifications say PROD, receipt types ProductionSandbox,
  /// and archives that were rewritten have the words in other letters.
  static func named(_ text: Bytes?) -> Bytes? {
    guard let text else { return nil }
    if text.equals("Production") || text.equals("Sandbox") { return text }
    switch text.string.lowercased() {
    case "production", "prod", "productionvpp": return production
    case "sandbox", "productionsandbox", "productionvppsandbox": return Bytes(literal: "Sandbox")
    default: return text
    }
  }
}

/// The names of the App Store's environments.
enum Environment {
  /// The production environment, which is also the meaning of a missing environment.
  static var production: Bytes { Bytes(literal: "Production") }

  /// The environment that a text means: notifications say PROD, receipt types ProductionSandbox.
  static func named(_ text: Bytes?) -> Bytes? {
    guard let text else { return nil }
    if text.equals("PROD") || text.equals("ProductionVPP") { return production }
    return text.equals("ProductionSandbox") || text.equals("ProductionVPPSandbox")
      ? Bytes(literal: "Sandbox") : text
  }
}

/// The names of the App Store's environments.
enum Environment {
  private static let productionName: StaticString = "Production"
  private static let sandboxName: StaticString = "Sandbox"

  /// What a missing environment means.
  static var production: Bytes { bytes(productionName) }

  /// The environment that a text means: notifications say PROD, receipt types ProductionSandbox.
  static func named(_ text: Bytes?) -> Bytes? {
    guard let text else { return nil }
    if text.equals("PROD") { return production }
    return text.equals("ProductionSandbox") ? bytes(sandboxName) : text
  }

  private static func bytes(_ name: StaticString) -> Bytes {
    Bytes(start: name.utf8Start, count: name.utf8CodeUnitCount)
  }
}

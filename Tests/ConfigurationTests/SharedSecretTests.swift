import Configuration
import Foundation
import Testing

@Suite("The shared secret")
struct SharedSecretTests {
  private static let secret = "0123456789abcdef0123456789abcdef"

  @Test("the secret comes from the file, and from the variable if both are given")
  func places() throws {
    try withFile(Data("  \(Self.secret)\n".utf8)) { path in
      #expect(try SharedSecret.find(file: path, environment: [:])?.text == Self.secret)
      let other = try SharedSecret.find(
        file: path, environment: ["TIEOUT_SHARED_SECRET": "another"])
      #expect(other?.text == "another")
    }
    #expect(try SharedSecret.find(file: nil, environment: [:]) == nil)
    #expect(try SharedSecret.find(file: nil, environment: ["TIEOUT_SHARED_SECRET": ""]) == nil)
  }

  @Test("printing the secret does not show it")
  func shownNowhere() throws {
    let secret = try #require(
      try SharedSecret.find(file: nil, environment: ["TIEOUT_SHARED_SECRET": Self.secret]))
    var dumped = ""
    dump(secret, to: &dumped)
    for text in ["\(secret)", String(describing: secret), String(reflecting: secret), dumped] {
      #expect(!text.contains(Self.secret))
    }
  }

  @Test(
    "text that cannot be a secret is refused, and the message does not repeat it",
    arguments: ["", " \n", "two words", "line\nline", "ä", String(repeating: "s3", count: 501)])
  func refused(text: String) throws {
    try withFile(Data(text.utf8)) { path in
      let message = try complaint { () throws(ConfigurationError) in
        _ = try SharedSecret.find(file: path, environment: [:])
        return Settings()
      }
      #expect(message.hasPrefix(path))
      #expect(!message.contains("two") && !message.contains("s3") && !message.contains("ä"))
    }
    #expect(throws: ConfigurationError.self) {
      try SharedSecret.find(file: "nowhere", environment: [:])
    }
  }

  @Test("the secret is not a setting: only its variable is accepted, no key and no option")
  func noSetting() throws {
    let given = ["TIEOUT_SHARED_SECRET": Self.secret]
    let loaded = try Settings.load(file: nil, explicitFile: false, environment: given)
    #expect(loaded == Settings())
    #expect(throws: (any Error).self) { try settings(yaml: "shared_secret: \(Self.secret)\n") }
  }
}

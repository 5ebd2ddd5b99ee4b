import DamageTestSupport
import Foundation
import Testing

@testable import Intake

@Suite("Secrets in any place of a record")
struct SecretPlacementTests {
  private static func hidden(_ text: String) -> String {
    Secrets.hidden(in: text)
  }

  @Test("only the secret is hidden, in every place", arguments: RandomCases.seeds(150))
  func onlyTheSecret(seed: UInt64) {
    var dice = Dice(seed)
    for (form, draw) in SecretPlacement.all {
      let name = SecretPlacement.names.randomElement(using: &dice) ?? ""
      let placement = draw(&dice, name)
      // A record can be a part of another text.
      for (start, end) in [("", ""), ("kept\n", "\nkept\n")] {
        #expect(
          Self.hidden(start + placement.record + end) == start + placement.expected + end,
          "\(form), seed \(seed)")
      }
    }
  }

  @Test("a secret that is cut off is hidden too", arguments: RandomCases.seeds(30))
  func cut(seed: UInt64) {
    var dice = Dice(seed)
    for (form, draw) in SecretPlacement.all where form != "HAR, the value first" {
      let placement = draw(&dice, SecretPlacement.names.randomElement(using: &dice) ?? "")
      // Credentials are known by their first characters, and an escape by all of its characters.
      guard !form.hasPrefix("Basic without"),
        !placement.secret.contains(where: { "%&\\'@".contains($0) })
      else { continue }
      let length = Int.random(in: 5...placement.secret.utf8.count, using: &dice)
      let secret = placement.secret.prefix(length)
      let shown = Self.hidden(placement.before + secret)
      #expect(shown.hasPrefix(placement.before), "\(form), seed \(seed): \(shown)")
      #expect(
        shown.dropFirst(placement.before.count).allSatisfy { "*\n ".contains($0) },
        "\(form), seed \(seed): \(shown)")
    }
  }

  @Test(
    "text without a secret stays as it is",
    arguments: [
      "http://host:8080/a@b and user@host", "a://b c@d:e", "scheme://user@host/x", "12:30@home",
      #"{"passwords":"kept","p":"password","list":["secret","q"],"secretary":"x"}"#,
      "-----BEGIN CERTIFICATE-----\nkept\n-----END CERTIFICATE-----", "the Basic subscription",
      "-----BEGIN PUBLIC KEY-----\nkept\n-----END PUBLIC KEY-----", "Basic plan:  kept",
      #"{"product_id":"com.example.secret","name":"x"}"#, "book.password,kept\n",
      #"{"name":"title","value":"password"}"#, "INSERT INTO t (id, note) VALUES (1, 'kept');",
      #"{"name":"password"},{"name":"x","value":"kept"}"#, "no password was sent",
      "access token: kept", "ftp://host:x", "", "http://h:80,foo@bar.com",
      "['http://h:80','foo@bar']", "ask again with the shared secret of this app",
    ])
  func withoutSecret(text: String) {
    #expect(Self.hidden(text + "\n") == text + "\n")
  }

  // If the time grew with the square of the size, one of the texts alone would take longer.
  @Test("long records of the same text again and again take no long time", .timeLimit(.minutes(10)))
  func linear() {
    let parts = [
      "a://", "a://b:c/", "a://b:c@", "a://b:c", "value=/name=password", "value='name:password ",
      "\"name\":\"password\",", "password", "password ", "password:", "password='", "password=\"",
      "password\\\"", "basic ", "basic+", "basic a", "authorization basic ", "-----BEGIN ",
      "-----BEGIN PRIVATE KEY-----", "(password) values ", "(password) values (", "((", "\\", "%",
      "\\\\\"", "'", "\"\"", "<password>", "password: |\n ", "password:\n", "a_", "&amp;", "@", "-",
    ]
    for part in parts {
      let text = String(repeating: part, count: 2_000_000 / part.utf8.count)
      _ = Self.hidden(text)
    }
  }
}

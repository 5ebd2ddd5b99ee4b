import DamageTestSupport
import Foundation

/// A record that contains a secret: the text before and after it, and how it is written there.
struct SecretPlacement {
  let before: String
  let secret: String
  let after: String
  /// The bytes that stay as they are although they are part of the secret.
  var kept: Set<UInt8> = []

  var record: String { before + secret + after }

  var expected: String {
    let stars = secret.utf8.map { kept.contains($0) ? $0 : UInt8(ascii: "*") }
    return before + String(decoding: stars, as: UTF8.self) + after
  }

  static let names = [
    "password", "Password", "DB_PASSWORD", "secret", "client_secret", "clientSecret",
    "shared-secret", "api_key", "apikey", "X-Api-Key", "apiKey", "access_token", "accessToken",
    "private_key", "secret_access_key",
  ]
  private static let plain = Array(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")

  private static func word(_ dice: inout Dice, _ marks: String = "") -> String {
    let letters = plain + Array(marks)
    return String(
      (0..<Int.random(in: 6...24, using: &dice)).map { _ in
        letters.randomElement(using: &dice) ?? "x"
      })
  }

  /// A secret of any characters that can be typed.
  private static func any(_ dice: inout Dice) -> String {
    word(&dice, "!$*~.:+/=@#%&'\"\\ ,;|<>(){}[]-_?é")
  }

  private static func json(_ text: String, levels: Int = 1) -> String {
    (0..<levels).reduce(text) { text, _ in
      text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
  }

  private static func form(_ text: String) -> String {
    text.utf8.map { byte in
      plain.contains(Character(Unicode.Scalar(byte)))
        ? String(Unicode.Scalar(byte)) : "%" + String(Int(byte) + 0x100, radix: 16).suffix(2)
    }.joined()
  }

  private static func markup(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }

  typealias Draw = @Sendable (inout Dice, String) -> SecretPlacement

  static let all: [(String, Draw)] = [
    (
      "JSON",
      { dice, name in
        let blank = Bool.random(using: &dice) ? " " : ""
        return SecretPlacement(
          before: #"{"id":"kept-1","\#(name)"\#(blank):\#(blank)""#, secret: json(any(&dice)),
          after: #"","next":"kept-2"}"#)
      }
    ),
    (
      "JSON in JSON",
      { dice, name in
        SecretPlacement(
          before: #"{"body":"{\"id\":\"kept\",\"\#(name)\":\""#,
          secret: json(any(&dice), levels: 2),
          after: #"\",\"next\":1}","x":"kept"}"#)
      }
    ),
    (
      "JSON in a field",
      { dice, name in
        let written = json(word(&dice, "!$*.:+/=@#&' ")).replacing("\"", with: "\"\"")
        return SecretPlacement(
          before: #"7,kept,"{""id"":1,""\#(name)"": """#, secret: written,
          after: #""", ""next"":""kept""}",kept"#)
      }
    ),
    (
      "HAR",
      { dice, name in
        SecretPlacement(
          before: #"{"params":[{"name":"a","value":"kept"},{"name":"\#(name)","value":""#,
          secret: json(any(&dice)), after: #""},{"name":"b","value":"kept"}]}"#)
      }
    ),
    (
      "HAR, the value first",
      { dice, name in
        SecretPlacement(
          before: #"{"params":[{"name":"a","value":"kept"},{"value":""#, secret: json(any(&dice)),
          after: #"","name":"\#(name)"},{"name":"b","value":"kept"}]}"#)
      }
    ),
    (
      "form",
      { dice, name in
        SecretPlacement(before: "id=kept&\(name)=", secret: form(any(&dice)), after: "&next=kept")
      }
    ),
    (
      "form in a field",
      { dice, name in
        SecretPlacement(
          before: "body=id%3Dkept%26\(name)%3D", secret: word(&dice), after: "%26next%3Dkept")
      }
    ),
    (
      "query",
      { dice, name in
        SecretPlacement(
          before: #"GET /path?id=kept&\#(name)="#, secret: form(any(&dice)),
          after: #"&next=kept HTTP/1.1" 200"#)
      }
    ),
    (
      "log",
      { dice, name in
        SecretPlacement(
          before: "2026-11-20 INFO kept \(name)=", secret: word(&dice, "!$*~./@#%"),
          after: " next=kept")
      }
    ),
    (
      "quoted setting",
      { dice, name in
        SecretPlacement(
          before: "kept=1 \(name)=\"", secret: word(&dice, "!$ ,;:&'"), after: "\" next=\"kept\"")
      }
    ),
    (
      "Python",
      { dice, name in
        SecretPlacement(
          before: "{'id': 'kept', '\(name)': '", secret: word(&dice, "!$ ,;:&\""),
          after: "', 'next': 'kept'}")
      }
    ),
    (
      "web server",
      { dice, name in
        SecretPlacement(
          before: "POST {\\x22id\\x22:\\x22kept\\x22,\\x22\(name)\\x22:\\x22",
          secret: word(&dice, "!$ ,;:&"), after: "\\x22,\\x22next\\x22:\\x22kept\\x22}")
      }
    ),
    (
      "YAML",
      { dice, name in
        SecretPlacement(
          before: "id: kept\nsettings:\n  \(name): ", secret: word(&dice, "!$ ,.;&'\"=").trimmed,
          after: "\n  next: kept\n")
      }
    ),
    (
      "YAML with a comment",
      { dice, name in
        SecretPlacement(
          before: "id: kept\n\(name): ", secret: word(&dice), after: " # kept\nnext: kept\n")
      }
    ),
    (
      "YAML, a block",
      { dice, name in
        SecretPlacement(
          before: "id: kept\n  \(name): |\n", secret: "    \(word(&dice))\n    \(word(&dice))\n",
          after: "  next: kept\n")
      }
    ),
    (
      "YAML, a pair",
      { dice, name in
        SecretPlacement(
          before: "env:\n- name: A\n  value: kept\n- name: \(name)\n  value: ", secret: word(&dice),
          after: "\n- name: B\n  value: kept\n")
      }
    ),
    (
      "markup",
      { dice, name in
        SecretPlacement(
          before: "<a><id>kept</id><\(name)>", secret: markup(any(&dice)),
          after: "</\(name)><next>kept</next></a>")
      }
    ),
    (
      "attributes",
      { dice, name in
        SecretPlacement(
          before: "<a><p name=\"\(name)\" value=\"", secret: markup(word(&dice, "<>& ,;")),
          after: "\"/><p name=\"next\" value=\"kept\"/></a>")
      }
    ),
    (
      "property list",
      { dice, name in
        SecretPlacement(
          before: "<dict><key>id</key><string>kept</string><key>\(name)</key>\n<string>",
          secret: markup(any(&dice)), after: "</string><key>next</key><string>kept</string></dict>")
      }
    ),
    (
      "SQL, by name",
      { dice, name in
        let column = name.replacing("-", with: "_")
        return SecretPlacement(
          before: "UPDATE t SET id = 'kept', \(column) = '",
          secret: any(&dice).replacing("\\", with: "").replacing("'", with: "''"),
          after: "' WHERE next = 'kept'")
      }
    ),
    (
      "SQL, by place",
      { dice, name in
        let column = name.replacing("-", with: "_")
        return SecretPlacement(
          before: "INSERT INTO t (id, `\(column)`, next) VALUES (1, 'x', 'y'), (f('a', 2), '"
            .replacing("'x'", with: "'*'"),
          secret: any(&dice).replacing("\\", with: "").replacing("'", with: "''"),
          after: "', 'kept');")
      }
    ),
    (
      "header",
      { dice, name in
        SecretPlacement(
          before: "Host: kept\r\n\(name): ", secret: word(&dice, "!$ ,.;&=").trimmed,
          after: "\r\nAccept: kept\r\n")
      }
    ),
    (
      "header in a command",
      { dice, name in
        SecretPlacement(
          before: "curl -H '\(name): ", secret: word(&dice, "!$ ,.;&=").trimmed,
          after: "' -H 'Accept: kept'")
      }
    ),
    (
      "Basic header",
      { dice, _ in
        SecretPlacement(
          before: "Host: kept\nAuthorization: Basic ", secret: word(&dice, "+/="),
          after: "\nAccept: kept")
      }
    ),
    (
      "Basic of HAR",
      { dice, _ in
        SecretPlacement(
          before: #"{"headers":[{"name":"Authorization","value":"Basic "#,
          secret: word(&dice, "+/="),
          after: #""},{"name":"Accept","value":"kept"}]}"#)
      }
    ),
    (
      "Basic without a header",
      { dice, _ in
        SecretPlacement(
          before: "kept Basic ", secret: Data("user:\(word(&dice))".utf8).base64EncodedString(),
          after: " kept")
      }
    ),
    (
      "Bearer",
      { dice, _ in
        SecretPlacement(
          before: #"["authorization: bearer "#, secret: word(&dice, "-._~+/="),
          after: #"","kept"]"#)
      }
    ),
    (
      "address",
      { dice, _ in
        let scheme = ["https", "postgresql", "redis", "amqp+ssl", "x"].randomElement(using: &dice)
        return SecretPlacement(
          before: "kept \(scheme ?? "x")://user:", secret: "p" + word(&dice, "!$*~.:@&=%,;"),
          after: "@host:5432/kept@kept?q=kept kept")
      }
    ),
    (
      "address with escapes",
      { dice, _ in
        SecretPlacement(
          before: #"{"url":"redis:\/\/:"#, secret: form(any(&dice)),
          after: #"@host\/0","x":"kept"}"#)
      }
    ),
    (
      "address in a form",
      { dice, _ in
        SecretPlacement(
          before: "next=kept&url=https%3A%2F%2Fuser%3A", secret: word(&dice),
          after: "%40host%2Fkept&x=kept")
      }
    ),
    (
      "private key",
      { dice, _ in
        let kind = ["", "RSA ", "EC ", "ENCRYPTED "].randomElement(using: &dice) ?? ""
        let lines = (0..<3).map { _ in word(&dice, "+/=") + "\n" }.joined()
        return SecretPlacement(
          before: "kept\n-----BEGIN \(kind)PRIVATE KEY-----", secret: "\n" + lines,
          after: "-----END \(kind)PRIVATE KEY-----\nkept", kept: [10])
      }
    ),
    (
      "private key in JSON",
      { dice, _ in
        let lines = (0..<3).map { _ in word(&dice, "+/=") + "\\n" }.joined()
        return SecretPlacement(
          before: #"{"id":"kept","pem":"-----BEGIN PRIVATE KEY-----"#, secret: "\\n" + lines,
          after: #"-----END PRIVATE KEY-----\n","next":"kept"}"#)
      }
    ),
  ]
}

extension String {
  /// The text without spaces around it, and without a sign of a comment or of quotes.
  fileprivate var trimmed: String {
    let text = replacing(" #", with: "x").trimmingCharacters(in: .whitespaces)
    return text.first.map { "'\"|>&!$".contains($0) } == true ? "x" + text : text
  }
}

import DamageTestSupport
import Foundation
import LibCrypto

/// One way in which a company's own software wraps a document.
struct Wrapping: Sendable {
  let name: String
  /// Wraps a document; `isJSON` is true if the document can be a value as it is.
  let wrap: @Sendable (_ text: String, _ isJSON: Bool) throws -> String
  /// Whether the result is JSON.
  var makesJSON = true

  private static func value(_ text: String, _ isJSON: Bool) throws -> String {
    isJSON ? text : try json(text)
  }

  /// All wrappings, which can be nested in each other.
  static let all: [Wrapping] = [
    Wrapping(name: "a member") {
      #"{"level":"info","event":{"body":\#(try value($0, $1))},"n":1}"#
    },
    Wrapping(name: "a text in a member") {
      text, _ in #"{"time":"2026-11-20T00:00:00Z","message":\#(try json(text))}"#
    },
    Wrapping(name: "an element") {
      #"{"list":[{"a":[1,2.5e3,true,null,"x"]},\#(try value($0, $1))]}"#
    },
    Wrapping(name: "SNS") { text, _ in
      #"{"Type":"Notification","MessageId":"m","Message":\#(try json(text)),"Signature":"ey+/=="}"#
    },
    Wrapping(name: "an event of Lambda") { text, _ in
      #"{"resource":"/","headers":{"Host":"x"},"requestContext":{"stage":"p"},"#
        + #""body":\#(try json(text)),"isBase64Encoded":false}"#
    },
    Wrapping(name: "an event of Lambda in base64") { text, _ in
      #"{"httpMethod":"POST","body":"\#(base64(Array(text.utf8)))","isBase64Encoded":true}"#
    },
    Wrapping(name: "an answer of Lambda") { text, _ in
      #"{"statusCode":200,"status":200,"body":\#(try json(text))}"#
    },
    Wrapping(name: "a message queue") { text, _ in
      #"{"Records":[{"messageId":"1","body":\#(try json(text)),"attributes":{}}]}"#
    },
    Wrapping(name: "HAR") { text, isJSON in
      #"{"log":{"version":"1.2","creator":{"name":"x"},"entries":[{"request":{"method":"POST","#
        + #""url":"https://x/","postData":{"mimeType":"text/plain","text":\#(try json(text))}},"#
        + #""response":{"status":200,"content":{"text":"{\"ok\":true}"}}}]}}"#
    },
    Wrapping(name: "HAR, answer in base64") { text, _ in
      #"{"log":{"entries":[{"request":{"method":"GET"},"response":{"status":200,"content":"#
        + #"{"encoding":"base64","text":"\#(base64(Array(text.utf8)))"}}}]}}"#
    },
    Wrapping(name: "a cassette of VCR in JSON") { text, _ in
      #"{"http_interactions":[{"request":{"method":"post","body":{"encoding":"UTF-8","string":"#
        + #"\#(try json(text))}},"response":{"status":{"code":200},"body":{"string":""}}}]}"#
    },
    Wrapping(name: "a recording of nock") {
      #"[{"scope":"https://x:443","method":"POST","status":200,"response":\#(try value($0, $1))}]"#
    },
    Wrapping(name: "a mapping of WireMock") { text, _ in
      #"{"request":{"url":"/"},"response":{"status":200,"body":\#(try json(text))}}"#
    },
    Wrapping(name: "a quoted text", wrap: { text, _ in try json(text) }),
    Wrapping(
      name: "a line of a log",
      wrap: { text, _ in
        "[2026-11-20 03:00:00] {web-1} INFO app(x): got " + text + " in 17 ms"
      }, makesJSON: false),
    Wrapping(
      name: "a line of syslog",
      wrap: { text, _ in
        "<14>Nov 20 03:00:00 host app[17]: msg=" + (try json(text))
      }, makesJSON: false),
    Wrapping(
      name: "a form",
      wrap: { text, _ in
        let allowed = CharacterSet.alphanumerics
        let escaped = text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        return "user=17&payload=" + escaped + "&x=%20"
      }, makesJSON: false),
    Wrapping(
      name: "a data URI",
      wrap: { text, _ in
        "data:application/octet-stream;base64," + base64(Array(text.utf8))
      }, makesJSON: false),
    Wrapping(
      name: "hexadecimal digits",
      wrap: { text, _ in
        "\\x" + Array(text.utf8).hexadecimal
      }, makesJSON: false),
  ]

  /// What can be around all others, as the whole of a file.
  static let wholeFiles: [Wrapping] = [
    Wrapping(
      name: "a cassette of VCR in YAML",
      wrap: { text, _ in
        "---\nhttp_interactions:\n- request:\n    method: post\n    body:\n      encoding: UTF-8\n"
          + "      string: \(try json(text))\n  response:\n    status:\n      code: 200\n"
          + "recorded_with: VCR 6.2.0\n"
      }, makesJSON: false),
    Wrapping(
      name: "a cassette of VCR.py in base64",
      wrap: { text, _ in
        var rest = base64(Array(text.utf8))[...]
        var lines = ""
        while !rest.isEmpty {
          lines += "        " + rest.prefix(60) + "\n"
          rest = rest.dropFirst(60)
        }
        return
          "interactions:\n- request:\n    body: null\n  response:\n    body:\n      string: !!binary |\n"
          + lines + "    status: {code: 200, message: OK}\nversion: 1\n"
      }, makesJSON: false),
  ]
  /// A document in several wrappings, at random.
  static func random(
    _ document: EvidenceDocument, depth: Int, _ dice: inout Dice
  ) throws -> (text: String, names: [String]) {
    var text = document.text
    var isJSON = document.isJSON
    var names: [String] = []
    for _ in 0..<depth {
      let wrapping = all[Int.random(in: 0..<all.count, using: &dice)]
      text = try wrapping.wrap(text, isJSON)
      isJSON = wrapping.makesJSON
      names.append(wrapping.name)
    }
    return (text, names)
  }
}

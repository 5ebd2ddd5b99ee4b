import Intake
import Testing

@Suite("Shared secrets")
struct SecretTests {
  /// Spellings of a member with a secret; `@` is the place of the secret.
  static let members = [
    #""password":"@""#, #""password" : "@","x":1"#, #""Password":"@""#, #""PASSWORD":"@""#,
    #""pass\u0077ord":"@""#, #""\u0070assword":"@""#, #""shared_secret":"@""#,
    #""sharedSecret":"@""#, #""shared-secret":"@""#, #""password":"a\"@\"b""#,
    #""password":"\\","password":"@""#, #""password":["@"]"#, #""password":{"a":"]}","b":"@"}"#,
    #""password":@"#, #""nested":"{\"password\":\"@\"}""#, #""nested":"{\"password\":\"a\\\"@\"}""#,
    #""nested":"{\"n\":\"{\\\"password\\\":\\\"@\\\"}\"}""#,
  ]

  @Test("no secret reaches a rejection in any spelling of its member", arguments: members)
  func everySpelling(member: String) throws {
    for form in [
      #"{"notification_type":"X",\#(member)}"#, #"{"receipt-data":"*",\#(member)}"#,
      #"{"receipt-data":5,\#(member)}"#, #"{"signedPayload":"x",\#(member)}"#,
      #"{"status":21004,\#(member)}"#, #"{"receipt-data":"x" \#(member)}"#,
      #"{"status":0,"receipt":{"in_app":[{"product_id":"a",\#(member)}]}}"#,
      #"{"data":[{"lastTransactions":[{"status":1,\#(member)}]}]}"#,
      #"{"receipt-data":"x",\#(member)"#,
    ] {
      // The text as it is, with a line end, twice, and cut at its end.
      let text = form.replacing("@", with: "hunter2")
      for file in [text, text + "\n", text + "\n" + text, String(text.dropLast(3))] {
        let staged = try stage(file, in: .receipts, OwnStore.settings())
        #expect(!staged.rejections.isEmpty, "\(file)")
        for row in staged.rejections {
          for (column, value) in row {
            #expect(!value.contains("hunter2"), "\(column) of \(file)")
          }
        }
      }
    }
  }

  @Test(
    "no secret reaches a rejection in any other shape",
    arguments: [
      "receipt-data=x&password=hunter2", "password=hunter2&receipt-data=x\n",
      "POST {\\x22password\\x22:\\x22hunter2\\x22}",
      "body=%7B%22receipt-data%22%3A%22x%22%2C%22Password%22%3A%22hunter2%22%7D",
      "body=%7b%22shared_secret%22%3a+%22hunter2%22%7d", "INFO sharedSecret: hunter2",
      "{'password': 'my hunter2', 'x': 1}", "INFO 'shared_secret' => 'hunter2'",
      "password=it'hunter2", "{&#x27;password&#x27;: &#x27;hunter2&#x27;}",
      "{&#X22;password&#X22;: &#X22;hunter2&#X22;}", "{&#039;password&#039;: &#039;hunter2&#039;}",
      "<plist><dict><key>password</key> <string>hunter2</string></dict></plist>",
      "id,receipt_data\n1,\"{\"\"password\"\": \"\"hunter2\"\"}\"\n",
    ])
  func otherShapes(text: String) throws {
    for file in [text, FileTests.document + "\n" + text] {
      let staged = try stage(file, in: .receipts, OwnStore.settings())
      #expect(!staged.rejections.isEmpty)
      for row in staged.rejections {
        for (column, value) in row { #expect(!value.contains("hunter2"), "\(column) of \(file)") }
      }
    }
  }

  @Test(
    "a text with the form of Apple's secrets is hidden if the record has the name of a secret",
    arguments: [
      #"{"status":5,"params":[{"name":"password","value":"@"}]}"#, "x password,@ y",
      "password\t@ x", "INSERT INTO r (payload, password) VALUES ('garbage', '@')",
    ])
  func formOfSecret(text: String) throws {
    let secret = "0123456789abcdef0123456789ABCDEF"
    let staged = try stage(
      text.replacing("@", with: secret) + "\n", in: .receipts, OwnStore.settings())
    #expect(!staged.rejections.isEmpty)
    for row in staged.rejections {
      for (column, value) in row { #expect(!value.contains(secret), "\(column) of \(text)") }
    }
  }

  @Test("the token of a request is hidden")
  func bearer() throws {
    let staged = try stage(
      #"{"status":5,"headers":["Authorization: Bearer hunter2.x","q"]}"# + "\n", in: .receipts,
      OwnStore.settings())
    #expect(
      staged.rejections.first?["raw"]
        == #"{"status":5,"headers":["Authorization: Bearer *********","q"]}"#)
  }

  @Test("the members beside a secret do not change")
  func others() throws {
    let staged = try stage(
      #"{"status":21004,"password":"s","passwords":"kept","p":"password","list":["password","q"]}"#
        + "\n", in: .receipts)
    #expect(
      staged.rejections[0]["raw"]
        == #"{"status":21004,"password":"*","passwords":"kept","p":"password","list":["password","q"]}"#
    )
  }

  @Test("a secret in an old-style property list is hidden too")
  func propertyList() throws {
    let staged = try stage(
      #"{ "password" = "hunter2"; "purchase-info" = "eA=="; }"#, in: .receipts)
    #expect(staged.reasons == ["1 | receipt | malformed"])
    #expect(staged.rejections[0]["raw"]?.contains("hunter2") == false)
  }

  @Test(
    "no rejected delivery shows the secret of a column",
    arguments: [
      "2,b,delivered,nonsense,hunter2\n", "2,b,delivered,nonsense,\"hun\"ter2\n",
      "2,b,delivered,hunter2\n",
    ])
  func columnOfDeliveries(row: String) throws {
    for name in ["password", "API_KEY", "access-token"] {
      let table = "transaction_id,product_id,status,occurred_at,\(name),delivery_id\n" + row
      let file = table.replacing("hunter2\n", with: "hunter2,kept\n")
      let staged = try stage(file, in: .deliveries)
      #expect(staged.rejections.count == 1)
      #expect(!"\(staged.rejections)".contains("hunter2"), "\(staged.rejections)")
      #expect(!"\(staged.rejections)".contains("ter2"), "\(staged.rejections)")
    }
    let staged = try stage(
      "transaction_id,product_id,status,occurred_at,password,delivery_id\n"
        + "2,b,delivered,nonsense,hunter2,kept\n", in: .deliveries)
    #expect(staged.rejections.first?["raw"] == "2,b,delivered,nonsense,*******,kept")
  }

  @Test(
    "the lines of a private key that are records of their own are hidden, and other lines are not",
    arguments: [Folder.receipts, .deliveries])
  func keyLines(folder: Folder) throws {
    let record =
      folder == .receipts ? #"{"status":21003}"# : #"{"delivery_id":"1","status":"kept"}"#
    for label in ["", "RSA ", "EC ", "ENCRYPTED "] {
      for (before, lineEnd) in [("", "\n"), ("key: ", "\r\n"), ("  ", "\n")] {
        let lines = [
          record, "MIIEvKept", before + "-----BEGIN \(label)PRIVATE KEY-----",
          "Proc-Type: 4,ENCRYPTED", "", "  MIIEvHidden+/Hidden", "\"Hidden==\\n\",",
          "-----END \(label)PRIVATE KEY-----", "MIIEvAfter", record,
        ]
        let text = lines.joined(separator: lineEnd)
        let raw = try stage(text, in: folder).rejections.map { $0["raw"] ?? "" }
        let all = raw.joined(separator: "\n")
        #expect(!all.contains("Hidden"), "\(all)")
        #expect(all.contains(String(repeating: "*", count: 19)), "\(all)")
        #expect(all.contains("MIIEvKept") && all.contains("MIIEvAfter"), "\(all)")
        #expect(all.contains("-----BEGIN") && all.contains("Proc-Type"), "\(all)")
      }
    }
  }

  @Test(
    "the lines of a private key are hidden if a block of the file ends between them",
    arguments: [1, 80, 200, 1000])
  func keyOfSeveralBlocks(blockBytes: Int) throws {
    let record = #"{"delivery_id":"1","status":"kept"}"#
    // The first block has at least 64 KiB.
    let space = String(repeating: " ", count: 64 << 10)
    let lines = [
      record + space, "-----BEGIN PRIVATE KEY-----", "MIIEvHidden+/Hidden", "Hidden/Hidden",
      "Hidden==", "-----END PRIVATE KEY-----", "MIIEvAfter", record,
    ]
    let staged = try stage(
      lines.joined(separator: "\n"), in: .deliveries, IntakeSettings(blockBytes: blockBytes))
    let all = staged.rejections.map { $0["raw"] ?? "" }.joined(separator: "\n")
    #expect(!all.contains("Hidden"), "\(all)")
    #expect(all.contains("\n*******************\n*************\n********\n"), "\(all)")
    #expect(all.contains("MIIEvAfter") && all.contains("-----END"), "\(all)")
  }

  @Test("the detail of a rejection shows no secret either")
  func detail() throws {
    let staged = try stage(
      "delivery_id,postgresql://u:hunter2@h/d,delivery_id\n", in: .deliveries)
    #expect(staged.rejections.count == 1)
    #expect(!"\(staged.rejections)".contains("hunter2"), "\(staged.rejections)")
  }
}

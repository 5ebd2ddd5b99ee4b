import DamageTestSupport
import Foundation
import Intake
import LibCrypto
import SigningTestSupport
import Testing

/// Evidence in documents of other shapes gives the same rows as a file with nothing else.
@Suite("Other shapes", .timeLimit(.minutes(60)))
struct OtherShapesTests {
  @Test("a request and Apple's answer in one object are both read")
  func requestWithAnswer() throws {
    let documents = try EvidenceDocument.all()
    let request = try #require(documents.first { $0.testDescription == "receipt-data" })
    let answer = try #require(documents.first { $0.testDescription == "an answer" })
    let both = "\(request.text.dropLast()),\(answer.text.dropFirst())"
    let rows = ShapedRows(try stage(both, in: .receipts, OwnStore.settings()))
    func transactions(_ rows: ShapedRows) -> Set<String> {
      Set(rows.evidence.compactMap { $0["transaction_id"] })
    }
    let (one, other) = (transactions(try request.plain()), transactions(try answer.plain()))
    #expect(rows.rejections.isEmpty)
    #expect(one != other && transactions(rows) == one.union(other))
  }

  @Test("every document in every wrapping gives the same rows")
  func once() throws {
    for document in try EvidenceDocument.all() {
      let plain = try document.plain()
      for wrapping in Wrapping.all + Wrapping.wholeFiles {
        let text = try wrapping.wrap(document.text, document.isJSON)
        for file in [text, text + "\n"] {
          let staged = try stage(file, in: .receipts, OwnStore.settings())
          #expect(
            ShapedRows(staged) == plain, "\(document.testDescription) in \(wrapping.name): \(file)")
        }
      }
    }
  }

  @Test("a document in several random wrappings gives the same rows, in blocks of any size")
  func nested() throws {
    let documents = try EvidenceDocument.all()
    let plain = try documents.map { try $0.plain() }
    for seed in RandomCases.seeds(100) {
      var dice = Dice(seed)
      var lines: [String] = []
      var expected: [ShapedRows] = []
      var names: [String] = []
      for _ in 0..<Int.random(in: 1...3, using: &dice) {
        let number = Int.random(in: 0..<documents.count, using: &dice)
        let depth = Int.random(in: 1...3, using: &dice)
        let (text, wrappings) = try Wrapping.random(documents[number], depth: depth, &dice)
        lines.append(text)
        expected.append(plain[number])
        names += [documents[number].testDescription] + wrappings
      }
      let blockBytes = [1, 100, 1 << 20][Int.random(in: 0...2, using: &dice)]
      let staged = try stage(
        lines.joined(separator: "\n"), in: .receipts, OwnStore.settings(blockBytes: blockBytes))
      #expect(ShapedRows(staged) == ShapedRows(expected), "seed \(seed): \(names)")
    }
  }

  @Test("a recording in YAML gives what its texts give")
  func recordings() throws {
    let documents = try EvidenceDocument.all()
    for seed in RandomCases.seeds(20) {
      var dice = Dice(seed)
      let document = documents[Int.random(in: 0..<documents.count, using: &dice)]
      let (text, names) = try Wrapping.random(
        document, depth: Int.random(in: 1...3, using: &dice), &dice)
      for wrapping in Wrapping.wholeFiles {
        let staged = try stage(
          try wrapping.wrap(text, false), in: .receipts, OwnStore.settings())
        #expect(
          ShapedRows(staged) == (try document.plain()), "seed \(seed): \(names) in \(wrapping.name)"
        )
      }
    }
  }

  @Test("a recording in YAML whose aliases make it many times longer is rejected as too large")
  func aliases() throws {
    var text = "http_interactions:\n- &a0 [\(String(repeating: "x", count: 1000))]\n"
    for level in 1...20 {
      text +=
        "- &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", "))]\n"
    }
    let staged = try stage(text, in: .receipts)
    #expect(staged.reasons == ["1 | receipt | too_large"])
    var keys = "interactions:\n- &a0 [x, x]\n"
    for level in 1...40 { keys += "- &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
    keys += "- {? *a40 : v, ? *a40 : w}\n"
    #expect(try stage(keys, in: .receipts).reasons == ["1 | receipt | too_large"])
    let deep =
      "interactions:\n- " + String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
    #expect(try stage(deep, in: .receipts).reasons == ["1 | receipt | too_deep"])
  }

  @Test("a recording in YAML that would keep the parser busy or fill the memory is rejected")
  func hugeRecordings() throws {
    let keys =
      "interactions: " + String(repeating: "{", count: 300) + "[a, a]"
      + String(repeating: "}", count: 300)
    #expect(try stage(keys, in: .receipts).reasons == ["1 | receipt | too_deep"])
    // The parser compares the whole list once for each level above it.
    let long = String(repeating: "a,", count: 2_000_000)
    for opening in [String(repeating: "{", count: 190), String(repeating: "? ", count: 190)] {
      let closing = String(repeating: "}", count: opening.filter { $0 == "{" }.count)
      let nested = "interactions:\n - \(opening)[\(long)a]\(closing)\n"
      #expect(try stage(nested, in: .receipts).reasons == ["1 | receipt | too_deep"])
    }
    let list = "interactions:\n- [" + String(repeating: "a,", count: 2_200_000) + "a]\n"
    #expect(try stage(list, in: .receipts).reasons == ["1 | receipt | too_large"])
    let bodies = String(repeating: "- body: '{\"a\": [1'\n", count: 1000)
    #expect(
      try stage("interactions:\n" + bodies, in: .receipts).reasons
        == ["1 | receipt | not_a_receipt"])
  }

  @Test("the rejection of a recording with one key twice names the key and its line")
  func repeatedKey() throws {
    let staged = try stage("interactions:\n- headers: {Date: a, Date: b}\n", in: .receipts)
    #expect(staged.reasons == ["1 | receipt | malformed"])
    #expect(
      staged.rejections[0]["detail"]?.contains("(line 2: the key Date occurs twice)") == true,
      "\(staged.rejections)")
  }

  @Test("the line feeds of a text in JSON are not counted as lines of the file")
  func linesOfTexts() throws {
    for document in try EvidenceDocument.all() where document.isJSON == false {
      for member in ["receipt-data", "latest_receipt", "Payload", "x"] {
        let text = #"{"\#(member)":"id 7\nsent\n\#(document.text)"}"#
        let staged = try stage(text, in: .receipts, OwnStore.settings())
        #expect(Set(Staged.drawn(staged.documents, "line")) == ["1"], "\(member)")
      }
    }
  }

  @Test(
    "a name beside evidence that is much too long is rejected like one that is a character too long"
  )
  func longNames() throws {
    let reasons = try [256, 5_000, 100_000].map { length in
      let name = String(repeating: "x", count: length)
      let text = #"{"a":{"account_id":"\#(name)","x":["eyJh.eyJh.aaaa"]}}"#
      return try stage(text, in: .receipts).reasons
    }
    #expect(!reasons[0].isEmpty)
    #expect(Set(reasons).count == 1, "\(reasons)")
  }

  @Test("an object with a status of 0 or an empty list beside other members is searched")
  func wrappers() throws {
    for document in try EvidenceDocument.all() where document.isJSON == false {
      for text in [
        #"{"status":0,"message":"ok","body":"\#(document.text)"}"#,
        #"{"status":"0","environment":"prod","event":{"body":"\#(document.text)"}}"#,
        #"{"data":[],"event":{"body":"\#(document.text)"}}"#,
      ] {
        let staged = try stage(text, in: .receipts, OwnStore.settings())
        #expect(ShapedRows(staged) == (try document.plain()), "\(text)")
      }
    }
    for empty in [
      #"{"status":0}"#, #"{"status":0,"environment":"Production","latest_receipt_info":[]}"#,
      #"{"data":[]}"#, #"{"environment":"Production","bundleId":"x","appAppleId":1,"data":[]}"#,
    ] {
      let staged = try stage(empty, in: .receipts)
      #expect(staged.documents.count == 1 && staged.rejections.isEmpty, "\(empty)")
    }
    for other in [#"{"status":0,"message":"ok"}"#, #"{"data":[],"page":1}"#] {
      #expect(
        try stage(other, in: .receipts).reasons == ["1 | receipt | not_a_receipt"], "\(other)")
    }
  }

  @Test("lines of objects of which none contains evidence are one rejection, however many they are")
  func noEvidence() throws {
    let lines = (1...2000).map { #"{"level":"info","msg":"\#($0)"}"# }.joined(separator: "\n")
    for blockBytes in [100, 1 << 20] {
      let settings = try OwnStore.settings(blockBytes: blockBytes)
      let staged = try stage(lines, in: .receipts, settings)
      #expect(staged.reasons == ["- | file | unknown_format"])
      #expect(staged.rejections[0]["detail"]?.contains("members like level, msg.") == true)
      let last = try stage(lines + "\n" + FileTests.document, in: .receipts, settings)
      #expect(last.documents.count == 1 && last.rejections.count > 100)
    }
  }

  @Test("evidence keeps the JSON pointer of its document, unless names are hashed")
  func pointer() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    let inner = try json(#"{"a/b":[{"x":"\#(signed)"}]}"#)
    let text = "2026 INFO {\"event\":{\"body\":\(inner)}}\n"
    let staged = try stage(text, in: .receipts, OwnStore.settings())
    #expect(Staged.drawn(staged.evidence, "line pointer") == ["1 | /event/body/a~1b/0/x"])
    let plain = try stage(signed, in: .receipts, OwnStore.settings())
    #expect(Staged.drawn(plain.evidence, "line pointer") == ["1 | -"])
    var hashing = try OwnStore.settings()
    hashing.pseudonyms = Pseudonyms(key: HMACKey([1]), salt: HMACKey([2]), tokens: [:])
    let hashed = try stage(text, in: .receipts, hashing)
    #expect(Staged.drawn(hashed.evidence, "line pointer") == ["1 | -"])
  }

  @Test("members beside or around evidence are on its rows, and the nearest ones count")
  func beside() throws {
    let signed = try OwnStore.sign(OwnStore.payload(["storefront": ""]))
    let cases = [
      (#"{"account_id":"a","body":"\#(signed)"}"#, "a | - | -"),
      (
        #"{"account_id":"a","x":{"device_id":7,"storefront":"USA","body":"\#(signed)"}}"#,
        "a | 7 | USA"
      ),
      (#"{"account_id":"a","x":{"body":"\#(signed)","account_id":"b"}}"#, "b | - | -"),
      (
        #"{"account_id":"a","message":\#(try json(#"{"signedPayload":"x","y":"\#(signed)"}"#))}"#,
        "a | - | -"
      ),
      (
        #"{"x":{"account_id":"a"},"body":"\#(signed)","y":[{"account_id":"b"}]}"#, "- | - | -"
      ),
    ]
    for (text, expected) in cases {
      let staged = try stage(text, in: .receipts, OwnStore.settings())
      #expect(
        Staged.drawn(staged.evidence, "account_id device_id storefront") == [expected], "\(text)")
    }
    let bad = #"{"account_id":"a\u0000","body":"\#(signed)"}"#
    #expect(
      try stage(bad, in: .receipts, OwnStore.settings()).reasons == ["1 | receipt | bad_identifier"]
    )
  }

  @Test("the same text under several names is one document")
  func several() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    let staged = try stage(
      #"{"purchaseToken":"\#(signed)","jwsRepresentationIOS":"\#(signed)","id":"1"}"#,
      in: .receipts,
      OwnStore.settings())
    #expect(staged.documents.count == 1 && staged.evidence.count == 1)
  }

  @Test("the same evidence of two accounts in one record gives what it gives in two lines")
  func accounts() throws {
    for document in try EvidenceDocument.all() {
      let value = document.isJSON ? document.text : try json(document.text)
      func event(_ account: String) -> String { #"{"account_id":"\#(account)","body":\#(value)}"# }
      let events = [event("first"), event("second")]
      let record = try stage(
        #"{"events":[\#(events.joined(separator: ","))]}"#, in: .receipts, OwnStore.settings())
      let lines = try stage(events.joined(separator: "\n"), in: .receipts, OwnStore.settings())
      #expect(ShapedRows(record) == ShapedRows(lines), "\(document.testDescription)")
      #expect(record.documents.count == 2 * (try document.plain().documents.count))
    }
  }

  @Test(
    "evidence in members of client libraries is read",
    arguments: [
      "transactionReceipt", "serverVerificationData", "localVerificationData", "appStoreReceipt",
      "purchaseToken", "jwsRepresentationIOS", "receipt_data", "receiptData", "receipt-data",
      "app_receipt", "receipt", "verificationData",
    ])
  func libraries(name: String) throws {
    let document = try EvidenceDocument.all()
    for document in document.prefix(3) {
      let text =
        #"{"productId":"a","transactionId":"1","transactionDate":1700000000000,"#
        + #""\#(name)":"\#(document.text)"}"#
      let staged = try stage(text, in: .receipts, OwnStore.settings())
      #expect(ShapedRows(staged) == (try document.plain()), "\(document.testDescription)")
      let nested = #"{"verificationData":\#(text),"status":"purchased"}"#
      #expect(
        ShapedRows(try stage(nested, in: .receipts, OwnStore.settings())) == (try document.plain()))
    }
  }

  @Test("a rejection gives the place of its evidence in the document")
  func place() throws {
    let bad = try OwnStore.foreign.get().sign(payload: OwnStore.payload())
    let inner = try json(#"{"a/b":[{"x":"\#(bad)"}]}"#)
    let staged = try stage(
      "\n{\"level\":\"info\"}\n2026 INFO {\"event\":{\"body\":\(inner)}}\n", in: .receipts,
      OwnStore.settings())
    #expect(staged.reasons == ["2 | receipt | not_a_receipt", "3 | receipt | untrusted_chain"])
    #expect(staged.rejections[1]["detail"]?.hasPrefix("At /event/body/a~1b/0/x: ") == true)
    #expect(staged.rejections[1]["raw"] == bad)
  }

  @Test("a member with the name of evidence is not evidence by its name alone")
  func names() throws {
    for text in [
      #"{"body":{"receipt":"r-17","status":0,"receipt-data":"none"}}"#,
      #"{"log":{"signedPayload":"eyJ","Payload":"text","data":[1]}}"#,
      #"{"result":{"status":0,"environment":"prod"}}"#,
      #"{"x":{"status":404,"errorCode":17,"errorMessage":"gone"}}"#,
      "INFO receipt-data=none status=0 token=eyJhbGciOiJIUzI1NiJ9",
    ] {
      let staged = try stage(text + "\n" + FileTests.document + "\n", in: .receipts)
      #expect(staged.documents.count == 1 && staged.rejections.count == 1, "\(text)")
    }
  }

  @Test("documents in one line, or after a byte order mark, are read one by one")
  func oneLine() throws {
    let answer = #"{"status":21007}"#
    for line in [answer + answer, answer + "\r" + answer, answer + ", " + answer] {
      #expect(try stage(line + "\n", in: .receipts).documents.count == 1)
      let rest = line.dropFirst(answer.count).replacing("21007", with: "21008")
      let two = try stage(answer + rest + "\n", in: .receipts)
      #expect(Staged.drawn(two.documents, "line status") == ["1 | 21007", "1 | 21008"])
    }
    let marked = try stage("\u{feff}\(answer)\n\u{feff}\(answer)\n", in: .receipts)
    #expect(marked.documents.map { $0["line"] } == ["1", "2"] && marked.rejections.isEmpty)
  }

  @Test("a document that is cut is not used in part")
  func cut() throws {
    for document in try EvidenceDocument.all() where document.isJSON {
      let whole = #"{"account_id":"a","event":{"body":\#(document.text)}}"#
      for length in stride(from: 1, to: whole.utf8.count, by: 37) {
        let staged = try stage(
          Array(whole.utf8.prefix(length)), in: .receipts, OwnStore.settings())
        #expect(staged.documents.isEmpty && staged.rejections.count == 1, "\(length)")
      }
    }
  }

  @Test("a raw receipt in another shape is found for refresh-receipts too")
  func refresh() throws {
    let receipt = try OwnStore.authority.get().appReceipt(OwnStore.receipt)
    let scratch = try ScratchFolder()
    for wrapping in Wrapping.all {
      let text = try wrapping.wrap(base64(receipt), false)
      let reader = RawReceiptReader(
        path: try scratch.file("file", Array(text.utf8)), settings: try OwnStore.settings())
      var found: [RawReceipt] = []
      while let next = reader.next() { found += next }
      #expect(found.map(\.bytes) == [receipt], "\(wrapping.name)")
    }
  }
}

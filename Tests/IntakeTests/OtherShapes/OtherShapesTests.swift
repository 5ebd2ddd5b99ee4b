import DamageTestSupport
import Foundation
import Intake
import SigningTestSupport
import Testing

/// Evidence in documents of other shapes gives what a file with nothing else gives.
@Suite("Other shapes", .timeLimit(.minutes(60)))
struct OtherShapesTests {
  @Test("every document in every wrapping gives the same rows")
  func once() throws {
    for document in try EvidenceDocument.all() {
      let plain = try document.plain()
      for wrapping in Wrapping.all {
        let text = try wrapping.wrap(document.text, document.isJSON)
        for file in [text, text + "\n"] {
          let staged = try stage(file, in: .receipts, OwnStore.settings())
          #expect(
            ShapedRows(staged) == plain, "\(document.testDescription) in \(wrapping.name): \(file)")
        }
      }
    }
  }

  @Test("wrapped at random several times, with other records around it, in blocks of any size")
  func nested() throws {
    let documents = try EvidenceDocument.all()
    let plain = try documents.map { try $0.plain() }
    for seed in RandomCases.seeds(300) {
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

  @Test("what is beside evidence or around it goes onto its rows, the nearest first")
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

  @Test(
    "members of client libraries",
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

  @Test("a rejection says where in the document its evidence was found")
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

  @Test("what names alone make evidence is not evidence")
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

  @Test("documents in one line, and behind a byte-order mark, are read one by one")
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

  @Test("a raw receipt in another shape is found for refresh-receipts as well")
  func refresh() throws {
    let receipt = try OwnStore.authority.get().appReceipt(OwnStore.receipt)
    let scratch = try ScratchFolder()
    for wrapping in Wrapping.all {
      let text = try wrapping.wrap(base64(receipt), false)
      let reader = RawReceiptReader(
        path: try scratch.file("file", Array(text.utf8)), settings: try OwnStore.settings())
      #expect(reader.next()?.bytes == receipt, "\(wrapping.name)")
      #expect(reader.next() == nil)
    }
  }
}

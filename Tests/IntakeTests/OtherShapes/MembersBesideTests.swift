import DamageTestSupport
import Foundation
import Intake
import LibCrypto
import SigningTestSupport
import Testing

/// A server can keep a request beside Apple's answer, or an answer beside an older one.
@Suite("Evidence beside a documented form")
struct MembersBesideTests {
  /// Documents that are JSON objects.
  private static func objects() throws -> [EvidenceDocument] {
    try EvidenceDocument.all().filter(\.isJSON)
  }

  /// An object with one more member at its end.
  private static func adding(_ member: String, to object: String) -> String {
    object.dropLast() + "," + member + "}"
  }

  /// What a file tells, without the members that belong to the place of the evidence.
  private static func said(_ texts: [String]) throws -> [String] {
    try texts.flatMap { text in
      let staged = try stage(text, in: .receipts, OwnStore.settings())
      return Staged.drawn(staged.documents, "status")
        + Staged.drawn(staged.evidence, "environment transaction_id product_id cancelled_at")
        + Staged.drawn(staged.rejections, "kind reason")
    }.sorted()
  }

  @Test("every document is read beside every form, as a value or as a text")
  func everyPair() throws {
    for form in try Self.objects() {
      for other in try EvidenceDocument.all() {
        let expected = try Self.said([form.text, other.text])
        let value = other.isJSON ? other.text : try json(other.text)
        for member in [
          #""kept":\#(value)"#, #""kept":\#(try json(other.text))"#,
          #""kept":{"at":1,"list":[{"body":\#(value)}]}"#,
        ] {
          let text = Self.adding(member, to: form.text)
          #expect(try Self.said([text]) == expected, "\(other) beside \(form): \(text)")
        }
      }
    }
  }

  @Test("a search finds the same in a log")
  func inLog() throws {
    // The status of the wrong environment counts only in an object that has nothing else.
    for form in try Self.objects() where !form.text.contains("21007") {
      for other in try EvidenceDocument.all() {
        let value = other.isJSON ? other.text : try json(other.text)
        let text = Self.adding(#""kept":\#(value)"#, to: form.text)
        #expect(
          try Self.said([#"{"level":"info","event":\#(text)}"#])
            == Self.said([form.text, other.text]),
          "\(other) beside \(form)")
      }
    }
  }

  private static func answer(_ id: Int, _ more: String = "") -> String {
    #"{"status":0,"environment":"Production","latest_receipt_info":[\#(entry(id))]\#(more)}"#
  }

  private static func entry(_ id: Int) -> String {
    #"{"transaction_id":"\#(id)","product_id":"book","purchase_date_ms":"1763500000000"}"#
  }

  @Test(
    "no transaction is lost in an object with several answers",
    arguments: [
      #"{"verifyReceiptResponse":\#(answer(1)),"previousResponse":\#(answer(2))}"#,
      #"{"verifyReceiptResponse":\#(answer(1)),"history":[\#(answer(2))]}"#,
      #"{"verifyReceiptResponse":\#(answer(1)),"unified_receipt":\#(answer(2))}"#,
      #"{"verifyReceiptResponse":\#(answer(1)),"latest_receipt_info":[\#(entry(2))]}"#,
      #"{"verifyReceiptResponse":\#(answer(1)),"status":0,"receipt":{"in_app":[\#(entry(2))]}}"#,
      #"{"verifyReceiptResponse":{"status":21008,"production":\#(answer(1))},"x":\#(answer(2))}"#,
      #"{"status":21008,"production":\#(answer(1)),"sandbox":\#(answer(2))}"#,
      #"{"signedTransactions":[],"response":\#(answer(1)),"older":\#(answer(2))}"#,
      #"{"status":0,"receipt":\#(answer(1)),"latest_receipt_info":[\#(entry(2))]}"#,
      #"{"notification_type":"CANCEL","unified_receipt":\#(answer(1)),"verification":\#(answer(2))}"#,
      #"{"notification_type":"CANCEL","unified_receipt":\#(answer(1, #","old":\#(answer(2))"#))}"#,
      #"{"status":0,"receipt":{"in_app":[\#(entry(1))]},"unified_receipt":\#(answer(2))}"#,
      #"{"errorCode":0,"data":\#(answer(1)),"more":\#(answer(2))}"#,
      #"{"status":0,"receipt":{"in_app":[\#(entry(1))]},"data":\#(answer(2))}"#,
    ])
  func severalAnswers(text: String) throws {
    let staged = try stage(text, in: .receipts)
    #expect(Set(staged.evidence.map { $0["transaction_id"] }) == ["1", "2"])
    #expect(staged.rejections.isEmpty)
    let inLog = try stage(#"{"level":"info","event":\#(text)}"#, in: .receipts)
    #expect(Set(inLog.evidence.map { $0["transaction_id"] }) == ["1", "2"])
    #expect(inLog.rejections.isEmpty)
  }

  @Test("a form that cannot be used is a rejection, and the forms beside it are read")
  func badForm() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    let (one, two, three) = (Self.answer(1), Self.answer(2), Self.answer(3))
    let cases: [(text: String, transactions: [String])] = [
      (
        #"{"verifyReceiptResponse":\#(one),"verify_receipt_response":\#(two),"body":\#(three)}"#,
        ["3"]
      ),
      (
        #"{"receipt-data":["x"],"verifyReceiptResponse":\#(one),"previousResponse":\#(two)}"#,
        ["1", "2"]
      ),
      (#"{"receipt-data":["x"],"verifyReceiptResponse":\#(one)}"#, ["1"]),
      (#"{"receipt-data":"\#(signed)","receiptData":"\#(signed)x","zz":\#(one)}"#, ["1"]),
      (#"{"verifyReceiptResponse":{"status":21002},"zz":\#(one)}"#, ["1"]),
      (
        #"{"signedTransactions":"\#(signed)","verifyReceiptResponse":\#(one),"zz":\#(two)}"#,
        ["1", "2"]
      ),
      (#"{"signedTransactionInfo":["\#(signed)"],"verifyReceiptResponse":\#(one)}"#, ["1"]),
      (
        #"{"Store":"GooglePlay","Payload":"x","signedTransactionInfo":"\#(signed)"}"#,
        ["350001177745405"]
      ),
    ]
    for (text, transactions) in cases {
      let staged = try stage(text, in: .receipts, OwnStore.settings())
      #expect(
        staged.evidence.compactMap { $0["transaction_id"] }.sorted() == transactions, "\(text)")
      #expect(staged.rejections.count == 1, "\(text)")
    }
  }

  @Test("an answer with the receipt that was sent in the place of its own is read")
  func sentReceipt() throws {
    let authority = try OwnStore.authority.get()
    let receipt = base64(try authority.appReceipt(OwnStore.receipt))
    let entry = Self.entry(9)
    let alone = try stage(receipt, in: .receipts, OwnStore.settings())
    let staged = try stage(
      #"{"status":0,"receipt":"\#(receipt)","latest_receipt_info":[\#(entry)]}"#, in: .receipts,
      OwnStore.settings())
    #expect(staged.evidence.count == alone.evidence.count + 1 && staged.rejections.isEmpty)
    let nested = try stage(
      #"{"status":0,"receipt":{"receipt":{"in_app":[\#(entry)]}}}"#, in: .receipts)
    #expect(nested.reasons == ["1 | receipt | not_a_receipt"])
  }

  @Test("names that a form knows are read in every place of it")
  func knownNames() throws {
    let authority = try OwnStore.authority.get()
    let receipt = base64(try authority.appReceipt(OwnStore.receipt))
    let alone = try stage(receipt, in: .receipts, OwnStore.settings()).evidence.count
    try #require(alone > 0)
    let one = Self.answer(1)
    for text in [
      #"{"receipt-data":"\#(receipt)","status":0,"latest_receipt":"\#(receipt)"}"#,
      #"{"receipt-data":"\#(receipt)","latest_receipt":"\#(receipt)"}"#,
      #"{"receipt-data":"\#(receipt)","receipt":{"data":"\#(receipt)"}}"#,
      #"{"receipt-data":"\#(receipt)","receipt":["\#(receipt)"]}"#,
    ] {
      let staged = try stage(text, in: .receipts, OwnStore.settings())
      #expect(staged.evidence.count == 2 * alone && staged.rejections.isEmpty, "\(text)")
    }
    for text in [
      Self.adding(#""receipt-data":"\#(receipt)""#, to: one),
      #"{"verifyReceiptResponse":\#(Self.adding(#""receipt-data":"\#(receipt)""#, to: one))}"#,
      #"{"unified_receipt":\#(Self.adding(#""receipt-data":"\#(receipt)""#, to: one))}"#,
      #"{"status":0,"receipt":{"in_app":[\#(Self.entry(1))],"latest_receipt":"\#(receipt)"}}"#,
    ] {
      let staged = try stage(text, in: .receipts, OwnStore.settings())
      #expect(staged.evidence.count == alone + 1 && staged.rejections.isEmpty, "\(text)")
    }
    let inner = try stage(
      #"{"verifyReceiptResponse":\#(Self.answer(1, #","data":\#(Self.answer(2))"#))}"#,
      in: .receipts)
    #expect(inner.evidence.map { $0["transaction_id"] } == ["1", "2"])
    let bad = try stage(
      #"{"status":0,"receipt":{"in_app":[\#(Self.entry(1))]},"unified_receipt":{"status":21002}}"#,
      in: .receipts)
    #expect(bad.evidence.map { $0["transaction_id"] } == ["1"])
    #expect(bad.reasons == ["1 | receipt | status_21002"])
  }

  @Test("a receipt that an answer encloses is read once, beside other members too")
  func enclosedOnce() throws {
    let authority = try OwnStore.authority.get()
    let receipt = base64(try authority.appReceipt(OwnStore.receipt))
    for name in ["verifyReceiptResponse", "unified_receipt"] {
      let inner = #"{"status":0,"latest_receipt":"\#(receipt)"}"#
      let plain = try stage(
        #"{"\#(name)":\#(inner)}"#, in: .receipts, OwnStore.settings())
      let text = #"{"\#(name)":\#(inner),"headers":{"x":1}}"#
      for text in [text, #"{"event":\#(text)}"#] {
        let staged = try stage(text, in: .receipts, OwnStore.settings())
        #expect(ShapedRows(staged).documents == ShapedRows(plain).documents, "\(text)")
        #expect(staged.evidence.count == plain.evidence.count)
      }
    }
  }

  @Test("the decoded form beside REFUND_REVERSED does not bring the refund back")
  func reversed() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    let notification = try OwnStore.notification("REFUND_REVERSED", signed: signed)
    let staged = try stage(
      #"{"signedPayload":"\#(notification)","decoded":{"notificationType":"REFUND_REVERSED","#
        + #""data":{"signedTransactionInfo":"\#(signed)"}}}"#, in: .receipts, OwnStore.settings())
    #expect(staged.evidence.map { $0["cancelled_at"] } == ["-"])
  }

  @Test(
    "a copy of the transaction beside REFUND_REVERSED does not bring the refund back, in any order")
  func reversedCopy() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    let other = try OwnStore.sign(
      OwnStore.payload(["transactionId": #""7""#, "revocationDate": "", "revocationPercentage": ""])
    )
    let notification = try OwnStore.notification("REFUND_REVERSED", signed: signed)
    let form = #""signedPayload":"\#(notification)""#
    for members in [
      [form, #""signedTransactionInfo":"\#(signed)""#],
      [#""notificationHistory":[{\#(form)}]"#, #""signedTransactions":["\#(signed)"]"#],
      [form, #""response":{"signedTransactions":["\#(signed)","\#(other)"]}"#],
      [#""event":{\#(form)}"#, #""jws":"\#(signed)""#],
      [#""body":"\#(notification)""#, #""jws":"\#(signed)""#],
    ] {
      for members in [members, members.reversed()] {
        let text = "{\(members.joined(separator: ","))}"
        let staged = try stage(text, in: .receipts, OwnStore.settings())
        let isWithOther = text.contains(other)
        #expect(
          staged.evidence.map { $0["cancelled_at"] } == (isWithOther ? ["-", "-"] : ["-"]),
          "\(text)")
        #expect(staged.documents.count == staged.evidence.count && staged.rejections.isEmpty)
      }
    }
    // Without Apple's signature, the notification reverses nothing.
    let foreign = try OwnStore.foreign.get().sign(
      payload: #"{"notificationType":"REFUND_REVERSED","signedDate":\#(OwnStore.signedDate),"#
        + #""data":{"signedTransactionInfo":"\#(signed)"}}"#)
    let forged = try stage(
      #"{"signedPayload":"\#(foreign)","signedTransactionInfo":"\#(signed)"}"#, in: .receipts,
      OwnStore.settings())
    #expect(forged.evidence.map { $0["cancelled_at"] } == ["2026-11-19T01:00:00Z"])
    #expect(forged.reasons == ["1 | receipt | untrusted_chain"])
    // Another line is another record.
    let lines = try stage("\(notification)\n\(signed)\n", in: .receipts, OwnStore.settings())
    #expect(lines.evidence.map { $0["cancelled_at"] } == ["-", "2026-11-19T01:00:00Z"])
  }

  @Test("thousands of entries with an account each are read, also if names are hashed")
  func manyEntries() throws {
    let entries = (0..<3000).map {
      #"{"account_id":"\#($0)","device_id":\#($0 + 12_345_678),"signedPayload":"x"}"#
    }
    let text = #"{"notificationHistory":[\#(entries.joined(separator: ","))]}"#
    let key = Pseudonyms(key: HMACKey([1]), salt: HMACKey([2]), tokens: [:])
    for settings in [IntakeSettings(), IntakeSettings(pseudonyms: key)] {
      #expect(try stage(text, in: .receipts, settings).counts.documents.rejected == 3000)
    }
  }

  @Test("the longest names are kept in four objects in each other, also after a name was forgotten")
  func longestNames() throws {
    let name = String(repeating: "\u{1f600}", count: 255)
    let beside = #""account_id":"\#(name)","device_id":"\#(name)""#
    let signed = try OwnStore.sign(OwnStore.payload())
    let group =
      #"{\#(beside),"lastTransactions":[{\#(beside),"signedTransactionInfo":"\#(signed)"}]}"#
    let answer =
      #"{\#(beside),"status":0,"latest_receipt_info":[\#(Self.entry(1))],"data":[\#(group)]}"#
    let forgotten = Pseudonyms(key: nil, salt: HMACKey([2]), tokens: [[1]: "f:1"])
    var settings = try OwnStore.settings()
    settings.pseudonyms = forgotten
    let staged = try stage(
      #"{\#(beside),"verifyReceiptResponse":\#(answer)}"#, in: .receipts, settings)
    #expect(staged.evidence.map { $0["account_id"] } == [name, name])
    #expect(staged.rejections.isEmpty)
  }

  @Test("an entry whose account cannot be read is rejected alone")
  func badEntry() throws {
    let name = String(repeating: "a", count: 300)
    let staged = try stage(
      #"{"notificationHistory":[{"account_id":"\#(name)","signedPayload":"x"}],"old":\#(Self.answer(1))}"#,
      in: .receipts)
    #expect(staged.evidence.map { $0["transaction_id"] } == ["1"])
    #expect(staged.reasons == ["1 | receipt | bad_identifier"])
  }

  @Test("evidence in evidence is limited by the size of the document")
  func nested() throws {
    var text = Self.answer(1, #","x":"\#(String(repeating: "y", count: 2_000_000))""#)
    for number in 2...30 { text = Self.answer(number, #","x":\#(text)"#) }
    let staged = try stage(text, in: .receipts)
    #expect(staged.rejections.map { $0["reason"] } == ["too_large"])
    #expect(staged.evidence.contains { $0["transaction_id"] == "30" })
  }

  @Test("the innermost account, device, storefront and time count, in every form")
  func innermost() throws {
    let (one, two) = (
      try OwnStore.notification(signed: OwnStore.sign(OwnStore.payload())),
      try OwnStore.sign(OwnStore.payload(["transactionId": #""7""#]))
    )
    let answer = Self.answer(1, #","account_id":"anna","device_id":"d""#)
    let cases: [(text: String, accounts: [String])] = [
      (answer, ["1 | anna | d"]),
      (#"{"account_id":"x","verifyReceiptResponse":\#(answer)}"#, ["1 | anna | d"]),
      (
        #"{"account_id":"x","device_id":"e","verifyReceiptResponse":\#(Self.answer(1))}"#,
        ["1 | x | e"]
      ),
      (#"{"notification_type":"CANCEL","unified_receipt":\#(answer)}"#, ["1 | anna | d"]),
      (
        #"{"account_id":"x","old":\#(answer),"verifyReceiptResponse":\#(Self.answer(2))}"#,
        ["2 | x | -", "1 | anna | d"]
      ),
      (
        #"{"account_id":"x","notificationHistory":[{"account_id":"anna","signedPayload":"\#(one)"},"#
          + #"{"signedPayload":"\#(one)"}]}"#,
        ["350001177745405 | anna | -", "350001177745405 | x | -"]
      ),
      (
        #"{"account_id":"x","data":[{"device_id":"e","lastTransactions":["#
          + #"{"account_id":"anna","signedTransactionInfo":"\#(two)"}]}]}"#, ["7 | anna | e"]
      ),
      (
        #"{"account_id":"x","notificationType":"S","data":{"account_id":"anna","#
          + #""signedTransactionInfo":"\#(two)"}}"#, ["7 | anna | -"]
      ),
    ]
    for (text, accounts) in cases {
      let staged = try stage(text, in: .receipts, OwnStore.settings())
      #expect(
        Staged.drawn(staged.evidence, "transaction_id account_id device_id") == accounts, "\(text)")
      #expect(staged.rejections.isEmpty, "\(text)")
    }
  }

  @Test("an answer that has no status is a rejection beside the form that is read")
  func withoutStatus() throws {
    let staged = try stage(
      #"{"verifyReceiptResponse":\#(Self.answer(1)),"receipt":{"in_app":[\#(Self.entry(2))]}}"#,
      in: .receipts)
    #expect(staged.evidence.map { $0["transaction_id"] } == ["1"])
    #expect(staged.reasons == ["1 | receipt | not_a_receipt"])
  }

  @Test("an error of Apple is a rejection, and the evidence beside it is read")
  func errorOfApple() throws {
    let text =
      #"{"errorCode":4040010,"errorMessage":"Transaction id not found.","old":\#(Self.answer(1))}"#
    let staged = try stage(text, in: .receipts)
    #expect(staged.evidence.map { $0["transaction_id"] } == ["1"])
    #expect(staged.reasons == ["1 | receipt | status_4040010"])
  }

  @Test("evidence beside a form that is cut off is a rejection")
  func cutOff() throws {
    let cut = String(Self.answer(2).dropLast(20))
    let text = #"{"verifyReceiptResponse":\#(Self.answer(1)),"response":\#(try json(cut))}"#
    for text in [text, #"{"event":\#(text)}"#] {
      let staged = try stage(text + "\n", in: .receipts)
      #expect(staged.evidence.map { $0["transaction_id"] } == ["1"])
      #expect(staged.reasons == ["1 | receipt | malformed_json"])
    }
  }

  @Test("other members beside a form are no evidence and no rejection")
  func otherMembers() throws {
    let text =
      #"{"account_id":"a","verifyReceiptResponse":\#(Self.answer(1)),"request":{"headers":"#
      + #"{"host":"x"},"user_agent":"\#(String(repeating: "Reader/1.0 ", count: 20))"},"#
      + #""receipt":"order 55","status":"ok","items":[1,{"id":"7"}]}"#
    let staged = try stage(text, in: .receipts)
    #expect(
      Staged.drawn(staged.evidence, "transaction_id account_id pointer") == ["1 | a | -"])
    #expect(staged.rejections.isEmpty)
  }
}

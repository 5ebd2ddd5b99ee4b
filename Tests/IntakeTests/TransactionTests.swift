import Intake
import Testing

@Suite("Transactions of a receipt")
struct TransactionTests {
  private func stageEntry(_ members: String) throws -> Staged {
    try stage(
      #"{"status":0,"receipt":{"in_app":[{\#(members)},{"transaction_id":"good","#
        + #""product_id":"a","purchase_date_ms":"1763500000000"}]}}"# + "\n", in: .receipts)
  }

  private static let required =
    #""transaction_id":"1","product_id":"a","purchase_date_ms":"1763500000000""#

  @Test(
    "an entry that cannot be used is rejected alone",
    arguments: [
      (#""product_id":"a","purchase_date_ms":"1763500000000""#, "missing_field", "transaction_id"),
      (
        #""transaction_id":"","product_id":"a","purchase_date_ms":"1763500000000""#,
        "missing_field",
        "transaction_id"
      ),
      (
        #""transaction_id":"1","product_id":null,"purchase_date_ms":"1763500000000""#,
        "missing_field",
        "product_id"
      ),
      (
        #""transaction_id":"1","product_id":"a","purchase_date":"""#, "missing_field",
        "purchase_date"
      ),
      (
        #""transaction_id":"1 2","product_id":"a","purchase_date_ms":"1763500000000""#,
        "bad_identifier",
        "transaction_id"
      ),
      (
        #""transaction_id":1.5,"product_id":"a","purchase_date_ms":"1763500000000""#,
        "bad_identifier",
        "transaction_id"
      ),
      (
        #""transaction_id":"1\u0000","product_id":"a","purchase_date_ms":"1763500000000""#,
        "bad_identifier",
        "transaction_id"
      ),
      (
        #""transaction_id":"1\u200b","product_id":"a","purchase_date_ms":"1763500000000""#,
        "bad_identifier",
        "transaction_id"
      ),
      (
        #""transaction_id":"1\u2800","product_id":"a","purchase_date_ms":"1763500000000""#,
        "bad_identifier",
        "transaction_id"
      ),
      (
        #""transaction_id":"1\u3164","product_id":"a","purchase_date_ms":"1763500000000""#,
        "bad_identifier",
        "transaction_id"
      ),
      (
        #""transaction_id":"1","product_id":"a\n","purchase_date_ms":"1763500000000""#,
        "bad_identifier",
        "product_id"
      ),
      (
        #""transaction_id":"1","product_id":true,"purchase_date_ms":"1763500000000""#,
        "bad_identifier",
        "product_id"
      ),
      (
        #""transaction_id":"1","product_id":"a","purchase_date_ms":"2026-11-19T03:04:05Z""#,
        "bad_date", "purchase_date_ms is not a number of milliseconds"
      ),
      (
        #""transaction_id":"1","product_id":"a","purchase_date":"2023-02-29 00:00:00 Etc/GMT""#,
        "bad_date", "purchase_date"
      ),
      (required + #","quantity":"0""#, "bad_quantity", "quantity"),
      (required + #","quantity":"1.0""#, "bad_quantity", "quantity"),
      (required + #","quantity":1000000001"#, "bad_quantity", "quantity"),
      (required + #","quantity":[]"#, "bad_quantity", "quantity"),
      (required + #","price":"-1","currency":"USD""#, "bad_amount", "price"),
      (required + #","price":"1e3","currency":"USD""#, "bad_amount", "price"),
      (required + #","price":1.0000000000000002,"currency":"USD""#, "bad_amount", "price"),
      (required + #","price":"1","currency":"usd""#, "bad_amount", "currency"),
      (
        required + #","web_order_line_item_id":"a b""#, "bad_identifier",
        "web_order_line_item_id"
      ),
      (required + #","cancellation_date":"today""#, "bad_date", "cancellation_date"),
      (required + #","transactionId":"2""#, "not_a_transaction", "transaction_id and"),
    ])
  func rejected(members: String, reason: String, field: String) throws {
    let staged = try stageEntry(members)
    #expect(staged.reasons == ["1 | transaction | \(reason)"])
    #expect(staged.rejections.first?["detail"]?.hasPrefix(field + " ") == true)
    #expect(Staged.drawn(staged.evidence, "transaction_id") == ["good"])
    #expect(staged.documents.count == 1 && staged.counts.transactions.read == 2)
  }

  @Test("the detail about an amount names a text, as the documentation of the inbox does")
  func amountAsText() throws {
    let staged = try stageEntry(Self.required + #","price":1.0000000000000002,"currency":"USD""#)
    let detail = try #require(staged.rejections.first?["detail"])
    #expect(detail.hasSuffix(#"; write it as a text like "0.99"."#), "\(detail)")
  }

  @Test("an entry that is no object is rejected alone")
  func notAnObject() throws {
    let staged = try stage(
      #"{"status":0,"latest_receipt_info":["x",{\#(Self.required)}]}"# + "\n", in: .receipts)
    #expect(staged.reasons == ["1 | transaction | not_a_transaction"])
    #expect(staged.evidence.count == 1)
  }

  @Test("a rejected entry is kept as JSON")
  func rejectedEntryIsKept() throws {
    let members = #""product_id":"a\n\"","n":[1,-2.5,true,null,{}],"big":18446744073709551615"#
    let staged = try stageEntry(members)
    let raw = #"{"product_id":"a\u000a\"","n":[1,-2.5,true,null,{}],"big":18446744073709551615}"#
    #expect(Staged.drawn(staged.rejections, "raw raw_bytes") == ["\(raw) | \(raw.utf8.count)"])
  }

  @Test("an entry that is nested as deeply as possible is kept as JSON too")
  func deepEntry() throws {
    let deep = String(repeating: "[", count: 900) + String(repeating: "]", count: 900)
    let staged = try stageEntry(#""x":"# + deep)
    #expect(staged.rejections.first?["raw"] == #"{"x":\#(deep)}"#)
    let tooDeep = String(repeating: "[", count: 1100) + String(repeating: "]", count: 1100)
    #expect(try stageEntry(#""x":"# + tooDeep).reasons == ["1 | receipt | malformed_json"])
  }

  @Test(
    "identifiers may be strings or whole numbers that fit in 64 bits",
    arguments: [
      (#""1""#, "1"), ("18446744073709551615", "18446744073709551615"), ("-5", "-5"),
      (#""é-1""#, "é-1"), (#""1000000692879214""#, "1000000692879214"),
    ])
  func identifiers(written: String, meant: String) throws {
    let staged = try stageEntry(
      #""transaction_id":\#(written),"product_id":"a b","purchase_date_ms":1763500000000"#)
    #expect(staged.evidence.first?["transaction_id"] == meant)
  }

  @Test("an identifier may have a hundred characters, and one more is too long")
  func identifierLength() throws {
    let longest = String(repeating: "é", count: 100)
    let fits = try stageEntry(
      #""transaction_id":"\#(longest)","product_id":"a","purchase_date_ms":1763500000000"#)
    #expect(fits.rejections.isEmpty)
    let tooLong = try stageEntry(
      #""transaction_id":"\#(longest)e","product_id":"a","purchase_date_ms":1763500000000"#)
    #expect(tooLong.reasons == ["1 | transaction | bad_identifier"])
  }

  @Test(
    "prices are exact: a string as it was written, a number as its shortest decimal",
    arguments: [
      (#""0.990""#, "0.990"), ("0.99", "0.99"), ("5", "5"), ("0", "0"), ("1e2", "100"),
      ("1e17", "100000000000000000"), ("0.00001", "0.00001"), ("123456789012.5", "123456789012.5"),
    ])
  func prices(written: String, meant: String) throws {
    let staged = try stageEntry(Self.required + #","price":\#(written),"currency":"EUR""#)
    #expect(Staged.drawn(staged.evidence, "price_text currency").first == "\(meant) | EUR")
  }

  @Test(
    "a price without a currency is ignored, and so is a currency without a price",
    arguments: [#""price":"1""#, #""currency":"EUR""#, #""price":"1","currency":"""#])
  func halfAPrice(members: String) throws {
    let staged = try stageEntry(Self.required + "," + members)
    #expect(Staged.drawn(staged.evidence, "price_text currency").first == "- | -")
  }

  private static let flags = [
    ("is_trial_period", "is_trial"), ("is_in_intro_offer_period", "is_introductory_offer"),
    ("is_upgraded", "is_upgraded"),
  ]

  @Test(
    "a flag is true or false in any form that archives write",
    arguments: [
      ("true", true), (#""true""#, true), (#""True""#, true), (#""TRUE""#, true), ("1", true),
      (#""1""#, true), ("1.0", true), ("false", false), (#""false""#, false),
      (#""False""#, false), (#""FALSE""#, false), ("0", false), (#""0""#, false), ("0.0", false),
      ("null", false), (#""""#, false),
    ])
  func flags(written: String, isSet: Bool) throws {
    for (member, column) in Self.flags {
      let staged = try stageEntry(Self.required + #","\#(member)":\#(written)"#)
      #expect(staged.rejections.isEmpty, "\(member)")
      #expect(staged.evidence.first?[column] == "\(isSet)", "\(member)")
    }
  }

  @Test(
    "a transaction with a flag that is neither true nor false is rejected with its value",
    arguments: [
      (#""t""#, #"the text "t""#), (#""YES""#, #"the text "YES""#), (#""true ""#, "a text"),
      (#""null""#, "a text"), (#""None""#, "a text"), (#""anna""#, "a text"), ("2", "a number"),
      ("-1", "a number"), ("0.5", "a number"), ("18446744073709551615", "a number"),
      ("[]", "a value"), ("{}", "a value"),
    ])
  func badFlags(written: String, shown: String) throws {
    for (member, _) in Self.flags {
      let staged = try stageEntry(Self.required + #","\#(member)":\#(written)"#)
      #expect(staged.reasons == ["1 | transaction | unknown_value"])
      #expect(
        staged.rejections.first?["detail"]
          == "\(member) is \(shown) that is neither true nor false; write true, false, 1 or 0.")
      #expect(Staged.drawn(staged.evidence, "transaction_id") == ["good"])
    }
  }

  @Test(
    "an offer is named by any value that does not stand for none",
    arguments: [
      (#""autumn""#, true), ("7", true), ("true", true), ("false", false), (#""False""#, false),
      ("0", false), (#""0""#, false), ("null", false), (#""""#, false),
    ])
  func offers(written: String, isNamed: Bool) throws {
    for member in ["promotional_offer_id", "offer_code_ref_name"] {
      let staged = try stageEntry(Self.required + #","\#(member)":\#(written)"#)
      #expect(staged.evidence.first?["is_promotional_offer"] == "\(isNamed)", "\(member)")
    }
  }

  @Test("if a key occurs twice, the last one counts")
  func duplicateKeys() throws {
    let staged = try stageEntry(
      Self.required + #","transaction_id":"3","quantity":2,"quantity":null"#)
    #expect(Staged.drawn(staged.evidence, "transaction_id quantity").first == "3 | -")
  }

  @Test("milliseconds count before the text, and are rounded down to the second")
  func milliseconds() throws {
    let staged = try stageEntry(
      #""transaction_id":"1","product_id":"a","purchase_date":"2021-01-01 00:00:00 Etc/GMT","#
        + #""purchase_date_ms":"1763519045999","expires_date_ms":"","#
        + #""expires_date":"2032-01-01T00:00:00Z""#)
    #expect(
      Staged.drawn(staged.evidence, "purchased_at expires_at").first
        == "2025-11-19T02:24:05Z | 2032-01-01T00:00:00Z")
  }

  @Test(
    "the zero of a clock stands for a missing date, and the other member then counts",
    arguments: [
      #""cancellation_date_ms":0"#, #""cancellation_date_ms":"0""#,
      #""cancellation_date":"1970-01-01 00:00:00 Etc/GMT""#,
      #""cancellation_date":"0001-01-01T00:00:00Z""#,
      #""cancellation_date_ms":0,"cancellation_date":"1970-01-01T00:00:00Z""#,
      #""cancellation_date_ms":0,"cancellation_date":"2025-11-20 03:04:05 Etc/GMT""#,
      #""cancellation_date_ms":0,"cancellationDateMs":1763607845000"#,
    ])
  func zeroDates(members: String) throws {
    let staged = try stageEntry(Self.required + "," + members + #","expires_date_ms":0"#)
    let refund = members.contains("2025") || members.contains("1763") ? "2025-11-20" : "-"
    let row = try #require(staged.evidence.first)
    #expect(row["cancelled_at"]?.prefix(10) ?? "" == refund)
    #expect(row["expires_at"] == "-" && row["dates_disagree"] == "false")
    #expect(staged.rejections.isEmpty)
  }

  @Test(
    "a date before the App Store opened is rejected, such as seconds in place of milliseconds",
    arguments: [
      #""purchase_date_ms":"1763500000""#, #""purchase_date_ms":1763500000"#,
      #""purchase_date_ms":"-1""#, #""purchase_date":"2008-06-30T23:59:59Z""#,
    ])
  func earlyDates(member: String) throws {
    let entry = #""transaction_id":"1","product_id":"a","#
    for members in [
      entry + member,
      Self.required + "," + member.replacing("purchase", with: "cancellation"),
      Self.required + "," + member.replacing("purchase", with: "original_purchase"),
      Self.required + "," + member.replacing("purchase", with: "expires"),
    ] {
      let staged = try stageEntry(members)
      #expect(staged.evidence.map { $0["transaction_id"] } == ["good"])
      #expect(Staged.drawn(staged.rejections, "kind reason") == ["transaction | bad_date"])
      #expect(staged.rejections[0]["detail"]?.contains("when the App Store opened") == true)
    }
    let opening = try stageEntry(entry + #""purchase_date":"2008-07-01T00:00:00Z""#)
    #expect(opening.rejections.isEmpty)
  }

  @Test(
    "the words of an environment mean the same in capital and small letters",
    arguments: [
      ("production", "Production"), ("PROD", "Production"), ("prod", "Production"),
      ("SANDBOX", "Sandbox"), ("productionsandbox", "Sandbox"), ("Xcode", "Xcode"),
    ])
  func environments(word: String, environment: String) throws {
    let staged = try stage(
      #"{"status":0,"environment":"\#(word)","receipt":{"in_app":[{\#(Self.required)}]}}"# + "\n",
      in: .receipts)
    #expect(staged.evidence.map { $0["environment"] } == [environment])
  }

  @Test(
    "a bad date beside another one under the other name is no missing date",
    arguments: [#""garbage""#, "1763500000"])
  func badDateOfTwo(date: String) throws {
    let staged = try stageEntry(
      Self.required + #","cancellation_date_ms":\#(date),"cancellationDateMs":"1763607845000""#)
    #expect(staged.evidence.map { $0["transaction_id"] } == ["good"])
    #expect(Staged.drawn(staged.rejections, "reason") == ["not_a_transaction"])
  }

  @Test(
    "a refund before the purchase is marked, and one before a restore is not",
    arguments: [
      ("", "1763499998999", true), ("", "1763499999000", false), ("", "1763500000000", false),
      (#","original_transaction_id":"0""#, "1763400000000", false),
      (
        #","original_transaction_id":"0","original_purchase_date_ms":"1763300000000""#,
        "1763400000000", false
      ),
      (
        #","original_transaction_id":"0","original_purchase_date_ms":"1763300000000""#,
        "1763200000000", true
      ),
    ])
  func earlyRefund(more: String, refund: String, isMarked: Bool) throws {
    let staged = try stageEntry(Self.required + more + #","cancellation_date_ms":"\#(refund)""#)
    #expect(staged.evidence.first?["dates_disagree"] == "\(isMarked)")
  }
}

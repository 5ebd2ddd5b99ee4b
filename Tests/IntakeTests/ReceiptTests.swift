import Intake
import SigningTestSupport
import Testing

@Suite("Receipt documents")
struct ReceiptTests {
  static let entry =
    #"{"transaction_id":"2","product_id":"a","purchase_date_ms":"1763519045999"}"#

  @Test("the members of an envelope are on every transaction of its response")
  func envelope() throws {
    let staged = try stage(
      #"{"received_at":"2026-11-19T03:04:05Z","account_id":"a-17","device_id":3,"storefront":"USA","#
        + #""verifyReceiptResponse":{"status":"0","environment":"Sandbox","receipt":{"in_app":["#
        + Self.entry + "]}}}", in: .receipts)
    let columns = "file_id line environment transaction_id product_id evidence_at purchased_at"
    #expect(
      Staged.drawn(staged.evidence, columns + " account_id device_id storefront") == [
        "7 | 1 | Sandbox | 2 | a | 2026-11-19T03:04:05Z | 2025-11-19T02:24:05Z | a-17 | 3 | USA"
      ])
    #expect(Staged.drawn(staged.documents, "line status") == ["1 | 0"])
    #expect(staged.counts.transactions.read == 1 && staged.counts.repeats == 0)
  }

  @Test("a missing value is null, and a missing environment is Production")
  func missing() throws {
    let staged = try stage(
      #"{"status":0,"receipt":{"in_app":["# + Self.entry + "]}}", in: .receipts)
    let row = try #require(staged.evidence.first)
    #expect(row["environment"] == "Production")
    for column in [
      "original_transaction_id", "quantity", "original_purchased_at", "expires_at",
      "cancelled_at", "web_order_line_item_id", "price_text", "currency", "storefront",
      "account_id", "device_id",
    ] {
      #expect(row[column] == "-", "\(column)")
    }
    #expect(row["is_trial"] == "false")
    #expect(row["evidence_at"] == row["purchased_at"])
  }

  @Test(
    "other names of environments are recognized",
    arguments: [
      ("PROD", "Production"), ("ProductionSandbox", "Sandbox"), ("", "Production"),
      ("Xcode", "Xcode"), ("Sandbox", "Sandbox"),
    ])
  func environments(written: String, meant: String) throws {
    let staged = try stage(
      #"{"environment":"\#(written)","status":0,"receipt":{"in_app":[\#(Self.entry)]}}"#,
      in: .receipts)
    #expect(Staged.drawn(staged.evidence, "environment") == [meant])
  }

  @Test("an answer with two environments marks its transactions, and its own environment counts")
  func environmentsDisagree() throws {
    let names = [
      ("Production", "Production"), ("PROD", "Production"), ("ProductionVPP", "Production"),
      ("Sandbox", "Sandbox"), ("ProductionSandbox", "Sandbox"), ("ProductionVPPSandbox", "Sandbox"),
      ("", nil),
    ]
    let columns = "environment environments_disagree"
    for (environment, own) in names {
      for (type, other) in names {
        let disagrees = own != nil && other != nil && own != other
        for key in ["receipt_type", "receiptType"] {
          let staged = try stage(
            #"{"environment":"\#(environment)","status":0,"receipt":{"\#(key)":"\#(type)","#
              + #""in_app":[\#(Self.entry)]}}"#, in: .receipts)
          #expect(
            Staged.drawn(staged.evidence, columns)
              == ["\(own ?? "Production") | \(disagrees)"], "\(environment) \(type)")
        }
        let notification = try stage(
          #"{"notification_type":"RENEWAL","environment":"\#(type)","unified_receipt":{"#
            + #""environment":"\#(environment)","latest_receipt_info":[\#(Self.entry)]}}"#,
          in: .receipts)
        #expect(
          Staged.drawn(notification.evidence, columns)
            == ["\(own ?? other ?? "Production") | \(disagrees)"], "\(environment) \(type)")
      }
    }
  }

  @Test("an answer that names no environment is from Production, whatever its receipt's type")
  func typeAlone() throws {
    let typed = try stage(
      #"{"status":0,"receipt":{"receipt_type":"ProductionSandbox","in_app":[\#(Self.entry)]}}"#,
      in: .receipts)
    let plain = try stage(#"{"status":0,"receipt":{"in_app":[\#(Self.entry)]}}"#, in: .receipts)
    #expect(typed.evidence == plain.evidence)
    #expect(Staged.drawn(plain.evidence, "environment") == ["Production"])
  }

  @Test("a contradiction between environments changes the hash of a transaction")
  func disagreementIsSaid() throws {
    func hash(_ type: String) throws -> [String?] {
      let staged = try stage(
        #"{"environment":"Sandbox","status":0,"receipt":{"receipt_type":"\#(type)","in_app":["#
          + Self.entry + "]}}", in: .receipts)
      return staged.evidence.map { $0["content_hash"] }
    }
    #expect(try hash("") == hash("ProductionSandbox"))
    #expect(try hash("") != hash("Production"))
  }

  @Test(
    "an empty object in place of a list is ignored",
    arguments: ["receipt", "latest_receipt_info", "latest_expired_receipt_info", "in_app"])
  func emptyObject(name: String) throws {
    let others = name == "latest_receipt_info" ? "" : #","latest_receipt_info":[\#(Self.entry)]"#
    for empty in name == "receipt" ? ["{}", "null"] : ["{}", "[]", "\"\"", "null"] {
      let member =
        name == "in_app" ? #""receipt":{"in_app":\#(empty)}"# : #""\#(name)":\#(empty)"#
      let staged = try stage(#"{"status":0,\#(member)\#(others)}"#, in: .receipts)
      #expect(staged.rejections.isEmpty, "\(name) \(empty)")
      #expect(staged.counts.transactions.read == (others.isEmpty ? 0 : 1), "\(name) \(empty)")
      #expect(staged.documents.count == 1, "\(name) \(empty)")
    }
  }

  @Test("the evidence of a list has the creation date or the request date of the receipt")
  func evidenceDates() throws {
    func entry(_ id: String) -> String {
      #"{"transaction_id":"\#(id)","product_id":"a","purchase_date":"2020-01-01 00:00:00 Etc/GMT"}"#
    }
    let staged = try stage(
      #"{"status":21006,"receipt":{"receipt_creation_date":"2021-01-01 00:00:00 Etc/GMT","#
        + #""request_date_ms":"1672531200000","in_app":["# + entry("1")
        + #"]},"latest_receipt_info":["# + entry("2") + #"],"latest_expired_receipt_info":"#
        + entry("3") + "}", in: .receipts)
    #expect(
      Staged.drawn(staged.evidence, "transaction_id evidence_at") == [
        "1 | 2021-01-01T00:00:00Z", "2 | 2023-01-01T00:00:00Z", "3 | 2023-01-01T00:00:00Z",
      ])
    #expect(Staged.drawn(staged.documents, "status") == ["21006"])
    #expect(staged.counts.transactions.read == 3)
  }

  @Test("repeated facts of a document are sent once, with their oldest evidence, and counted")
  func repeats() throws {
    let changed = Self.entry.replacing("}", with: #","quantity":"2"}"#)
    let staged = try stage(
      #"{"status":0,"receipt":{"receipt_creation_date":"2021-01-01 00:00:00 Etc/GMT","#
        + #""request_date":"2019-01-01 00:00:00 Etc/GMT","in_app":["# + Self.entry + ","
        + Self.entry + #"]},"latest_receipt_info":["# + Self.entry + "," + changed + "]}",
      in: .receipts)
    #expect(
      Staged.drawn(staged.evidence, "transaction_id quantity evidence_at") == [
        "2 | - | 2019-01-01T00:00:00Z", "2 | 2 | 2019-01-01T00:00:00Z",
      ])
    #expect(staged.counts.transactions.read == 4 && staged.counts.repeats == 2)
  }

  @Test(
    "a refund that a document repeats is sent with its oldest and with its youngest age")
  func repeatedRefund() throws {
    let refunded = Self.entry.replacing("}", with: #","cancellation_date_ms":"1546300800000"}"#)
    let (created, requested) = ("2019-02-01 00:00:00 Etc/GMT", "2019-03-01 00:00:00 Etc/GMT")
    for (inApp, latest) in [(created, requested), (requested, created), (created, created)] {
      let staged = try stage(
        #"{"status":0,"receipt":{"receipt_creation_date":"\#(inApp)","request_date":"\#(latest)","#
          + #""in_app":[\#(refunded),\#(refunded)]},"latest_receipt_info":[\#(refunded)],"#
          + #""latest_expired_receipt_info":[\#(refunded)]}"#, in: .receipts)
      let ages = Set([inApp, latest].map { $0.prefix(10) + "T00:00:00Z" })
      #expect(Set(staged.evidence.map { $0["evidence_at"] }) == Set(ages.map { String($0) }))
      #expect(staged.evidence.count == ages.count)
      #expect(Set(staged.evidence.map { $0["content_hash"] }).count == 1)
    }
  }

  @Test("hundreds of repeats in one document are found, and each document has its own")
  func manyRepeats() throws {
    let entries = (0..<3000).map {
      #"{"transaction_id":"\#($0 % 700)","product_id":"a","purchase_date_ms":1763500000000}"#
    }
    let document = #"{"status":0,"receipt":{"in_app":["# + entries.joined(separator: ",") + "]}}"
    let staged = try stage(document + "\n" + document + "\n", in: .receipts)
    #expect(staged.documents.count == 2)
    #expect(staged.counts.transactions.read == 6000 && staged.counts.repeats == 4600)
    #expect(Set(staged.evidence.map { $0["content_hash"] }).count == 700)
  }

  @Test("the hash of a transaction depends on its facts, not on their place and time")
  func contentHash() throws {
    let first = try stage(
      #"{"status":0,"receipt":{"in_app":["# + Self.entry + "]}}", in: .receipts)
    let second = try stage(
      "\n" + #"{"received_at":"2030-01-01T00:00:00Z","verifyReceiptResponse":"#
        + #"{"status":0,"receipt":{"in_app":["# + Self.entry + "]}}}", in: .receipts)
    let third = try stage(
      #"{"account_id":"x","verifyReceiptResponse":{"status":0,"receipt":{"in_app":["#
        + Self.entry + "]}}}", in: .receipts)
    #expect(first.evidence[0]["content_hash"] == second.evidence[0]["content_hash"])
    #expect(first.evidence[0]["evidence_at"] != second.evidence[0]["evidence_at"])
    #expect(first.evidence[0]["content_hash"] != third.evidence[0]["content_hash"])
    #expect(second.evidence[0]["line"] == "2")
  }

  @Test("a receipt of the older form is its own transaction")
  func olderForm() throws {
    let staged = try stage(
      #"{"status":0,"receipt":{"bid":"com.example","transaction_id":"5","product_id":"b","#
        + #""purchase_date":"2011-02-17 06:20:57 Etc/GMT","expires_date":"1350157508197","#
        + #""web_order_line_item_id":"9"},"latest_receipt_info":{"transaction_id":"6","#
        + #""product_id":"b","purchase_date_ms":"1350157208000"}}"#, in: .receipts,
      IntakeSettings(bundleIDs: ["com.other", "com.example"]))
    #expect(
      Staged.drawn(staged.evidence, "transaction_id purchased_at expires_at web_order_line_item_id")
        == [
          "5 | 2011-02-17T06:20:57Z | 2012-10-13T19:45:08Z | 9",
          "6 | 2012-10-13T19:40:08Z | - | -",
        ])
  }

  @Test("archives that were rewritten in camel case give the same facts")
  func camelCase() throws {
    let staged = try stage(
      #"{"receivedAt":"2026-01-01T00:00:00Z","accountId":"x","verifyReceiptResponse":{"status":0,"#
        + #""receipt":{"bundleId":"b","requestDateMs":1700000000000,"inApp":[]},"latestReceiptInfo":"#
        + #"[{"transactionId":12,"originalTransactionId":11,"productId":"a","purchaseDateMs":"#
        + #"1700000000000.5,"isTrialPeriod":true,"isInIntroOfferPeriod":1,"quantity":3,"#
        + #""webOrderLineItemId":0,"inAppOwnershipType":"FAMILY_SHARED","isUpgraded":"true","#
        + #""promotionalOfferId":"p","cancellationDate":"2024-01-01T01:00:00+0100"}]}}"#,
      in: .receipts, IntakeSettings(bundleIDs: ["b"]))
    #expect(
      Staged.drawn(
        staged.evidence,
        "transaction_id original_transaction_id quantity cancelled_at web_order_line_item_id "
          + "is_trial is_introductory_offer is_promotional_offer is_family_shared is_upgraded")
        == ["12 | 11 | 3 | 2024-01-01T00:00:00Z | - | true | true | true | true | true"])
  }

  /// Documents with a member under two names; each has @ and # in place of the two values.
  private static let namedTwice = [
    ("latest_receipt_info", "latestReceiptInfo", #"{"status":0,"a":[@],"b":[#]}"#),
    ("latestReceiptInfo", "latest_receipt_info", #"{"status":0,"a":[@],"b":[#]}"#),
    ("in_app", "inApp", #"{"status":0,"receipt":{"a":[@],"b":[#]}}"#),
    ("in_app", "inApp", #"{"verifyReceiptResponse":{"status":0,"receipt":{"a":[@],"b":[#]}}}"#),
    (
      "latest_receipt_info", "latestReceiptInfo",
      #"{"verifyReceiptResponse":{"status":0,"a":[@],"b":[#]}}"#
    ),
    (
      "latest_receipt_info", "latestReceiptInfo",
      #"{"notification_type":"X","unified_receipt":{"a":[@],"b":[#]}}"#
    ),
    (
      "latest_receipt_info", "latestReceiptInfo",
      #"{"event":{"body":{"status":0,"a":[@],"b":[#]}}}"#
    ),
  ]

  @Test(
    "a list under two names is rejected if the lists differ, and read if not", arguments: namedTwice
  )
  func twoNames(first: String, second: String, pattern: String) throws {
    func document(_ one: String, _ other: String) -> String {
      pattern.replacing("\"a\"", with: "\"\(first)\"").replacing("\"b\"", with: "\"\(second)\"")
        .replacing("[@]", with: one).replacing("[#]", with: other)
    }
    let list = "[\(Self.entry)]"
    let other = list.replacing(#""2""#, with: #""3""#)
    let differing = try stage(document(list, other), in: .receipts)
    #expect(differing.reasons == ["1 | receipt | not_a_receipt"])
    let detail = differing.rejections.first?["detail"]
    #expect(detail?.contains("\(first) and \(second) are two") == true)
    #expect(differing.evidence.isEmpty && differing.documents.isEmpty)
    for (one, another) in [(list, list), (list, "null"), ("null", list)] {
      let staged = try stage(document(one, another), in: .receipts)
      #expect(staged.rejections.isEmpty)
      #expect(Staged.drawn(staged.evidence, "transaction_id") == ["2"])
    }
  }

  @Test("a receipt under two names is rejected if the receipts differ, and read if not")
  func twoReceipts() throws {
    let authority = try OwnStore.authority.get()
    let one = base64(try authority.appReceipt(OwnStore.receipt))
    let other = base64(try authority.transactionReceipt(OwnStore.purchaseFields))
    for second in ["receipt_data", "receiptData"] {
      let differing = try stage(
        #"{"receipt-data":"\#(one)","\#(second)":"\#(other)"}"#, in: .receipts,
        OwnStore.settings())
      #expect(differing.reasons == ["1 | receipt | not_a_receipt"])
      let detail = differing.rejections.first?["detail"]
      #expect(detail?.contains("receipt-data and \(second) ") == true)
      let equal = try stage(
        #"{"receipt-data":"\#(one)","\#(second)":"\#(one)"}"#, in: .receipts, OwnStore.settings())
      #expect(equal.rejections.isEmpty && equal.documents.count == 1)
    }
  }

  @Test("a member that is not read may have two names with different values")
  func twoNamesOfOthers() throws {
    let staged = try stage(
      #"{"status":0,"transaction_id":"7","transactionId":"8","signedDate":1,"purchaseDate":2,"#
        + #""receipt":{"in_app":[\#(Self.entry)]}}"#, in: .receipts)
    #expect(staged.rejections.isEmpty && staged.evidence.count == 1)
  }

  @Test("status 21007 and 21008 are only counted", arguments: ["21007", #""21008""#])
  func wrongEnvironment(status: String) throws {
    let staged = try stage(
      #"{"status":\#(status),"receipt":{"in_app":[\#(Self.entry)]}}"#, in: .receipts,
      IntakeSettings(bundleIDs: ["ours"]))
    #expect(staged.documents.count == 1)
    #expect(staged.evidence.isEmpty && staged.rejections.isEmpty)
  }

  @Test(
    "a document that cannot be used is rejected with its reason",
    arguments: [
      (#"{"status":21002}"#, "status_21002"), (#"{"status":"2","receipt":{}}"#, "status_2"),
      (#"{"status":-1}"#, "status_-1"), (#"{"receipt":{}}"#, "not_a_receipt"),
      (#"{"status":"zero","receipt":{}}"#, "not_a_receipt"), ("[1]", "not_a_receipt"),
      (#"{"status":0,"receipt":"base64"}"#, "not_a_receipt"),
      (#"{"verifyReceiptResponse":"{}"}"#, "not_a_receipt"),
      (#"{"status":0,"receipt":{"bundle_id":"ours","in_app":7}}"#, "not_a_receipt"),
      (#"{"status":0,"receipt":{"bundle_id":"theirs"}}"#, "foreign_bundle"),
      (#"{"status":0}"#, "foreign_bundle"), (#"{"status":0,}"#, "malformed_json"),
      (#"{"status":123456789012345678901}"#, "malformed_json"),
      (#"{"status":0,"receipt":{"bundle_id":"ours","request_date_ms":"x"}}"#, "bad_date"),
      (
        #"{"verifyReceiptResponse":{"status":0,"receipt":{"bid":"ours"}},"account_id":"\u0000"}"#,
        "bad_identifier"
      ),
    ])
  func rejected(document: String, reason: String) throws {
    let staged = try stage(
      document + "\n", in: .receipts, IntakeSettings(bundleIDs: ["ours"]))
    #expect(staged.reasons == ["1 | receipt | \(reason)"])
    #expect(staged.rejections.first?["raw"]?.contains(document) == true)
    #expect(staged.evidence.isEmpty && staged.documents.isEmpty)
  }

  @Test("bytes that are not UTF-8 are rejected, and the excerpt replaces them")
  func invalidUTF8() throws {
    let staged = try stage(
      Array(#"{"status":0,"receipt":{}}"#.utf8) + [10] + Array(#"{"status":"#.utf8)
        + [0x22, 0xff, 0x22, 0x7d, 10], in: .receipts)
    #expect(staged.reasons == ["2 | receipt | invalid_utf8"])
    #expect(staged.rejections[0]["excerpt"] == "{\"status\":\"\u{fffd}\"}")
  }

  @Test("a shared secret is never kept")
  func secret() throws {
    let staged = try stage(
      #"{"notification_type":"RENEWAL","password" : "se\"cret","x":1}"#, in: .receipts)
    #expect(staged.reasons == ["1 | receipt | not_a_receipt"])
    let hidden = #"{"notification_type":"RENEWAL","password" : "********","x":1}"#
    #expect(Staged.drawn(staged.rejections, "raw excerpt") == [hidden + " | " + hidden])
  }

  @Test("a document with too many transactions is refused as a whole")
  func tooManyEntries() throws {
    let list = String(repeating: "{},", count: 50_000) + "{}"
    let staged = try stage(
      #"{"status":0,"receipt":{"in_app":[\#(list)]}}"#, in: .receipts)
    #expect(staged.reasons == ["1 | receipt | too_large"])
  }
}

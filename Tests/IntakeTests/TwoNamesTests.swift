import Intake
import Testing

/// A member under two names of one object, compared by what is read.
@Suite("Members under two names")
struct TwoNamesTests {
  private static func answer(_ members: String, around: String = "") -> String {
    #"{\#(around)"verifyReceiptResponse":{"status":0,"receipt":{"in_app":[{"transaction_id":"2","#
      + #""product_id":"a","purchase_date_ms":"1763519045999"\#(members)}]}}}"#
  }

  @Test(
    "values that are read as the same are no conflict",
    arguments: [
      (#""is_trial_period":"1""#, #""isTrialPeriod":true"#),
      (#""is_trial_period":"false""#, #""isTrialPeriod":"FALSE""#),
      (#""is_trial_period":"0""#, #""isTrialPeriod":false"#),
      (#""transaction_id":"2""#, #""transactionId":2"#),
      (#""quantity":"02""#, #""quantity":2"#),
      (#""original_transaction_id":"17""#, #""originalTransactionId":17"#),
      (
        #""expires_date":"2026-11-19 03:04:05 Etc/GMT""#,
        #""expiresDate":"2026-11-19T04:04:05+01:00""#
      ),
      (#""expires_date_ms":"1795057445000""#, #""expiresDateMs":1795057445000"#),
      (#""product_id":"a""#, #""productId":"""#), (#""productId":"""#, #""product_id":"a""#),
      (#""promotional_offer_id":"x""#, #""promotionalOfferId":"y""#),
      (#""price":"4.990","currency":"USD""#, #""price":4.99"#),
      (#""web_order_line_item_id":"7""#, #""webOrderLineItemId":"0""#),
      (#""storefront":"USA""#, #""storefront":null"#),
    ])
  func equal(first: String, second: String) throws {
    for members in ["\(first),\(second)", "\(second),\(first)"] {
      let staged = try stage(Self.answer("," + members), in: .receipts)
      #expect(staged.rejections.isEmpty, "\(members): \(staged.rejections)")
      #expect(staged.evidence.count == 1)
    }
  }

  @Test(
    "values that are read differently are a conflict",
    arguments: [
      (#""is_trial_period":"1""#, #""isTrialPeriod":false"#),
      (#""is_trial_period":"false""#, #""isTrialPeriod":"no""#),
      (#""product_id":"a""#, #""productId":"b""#),
      (#""expires_date_ms":"1795057445000""#, #""expiresDateMs":1795057446000"#),
      (#""web_order_line_item_id":"7""#, #""webOrderLineItemId":8"#),
    ])
  func different(first: String, second: String) throws {
    let staged = try stage(Self.answer(",\(first),\(second)"), in: .receipts)
    #expect(staged.reasons == ["1 | transaction | not_a_transaction"])
  }

  @Test("an offer under one name counts, although the other name has false or 0")
  func offer() throws {
    for none in ["false", "0", #""0""#, #""FALSE""#] {
      for members in [
        #""promotional_offer_id":"x","promotionalOfferId":\#(none)"#,
        #""promotional_offer_id":\#(none),"promotionalOfferId":"x""#,
      ] {
        let staged = try stage(Self.answer("," + members), in: .receipts)
        #expect(staged.evidence.map { $0["is_promotional_offer"] } == ["true"], "\(members)")
      }
    }
  }

  @Test("members of an envelope are compared as they are read")
  func envelope() throws {
    for (members, account) in [
      (#""account_id":"17","accountId":17,"#, "17"), (#""account_id":"17","accountId":"","#, "17"),
      (#""received_at":"2026-11-19T03:04:05Z","receivedAt":"1795057445000","accountId":"b","#, "b"),
      (#""bundle_id":"x","bundleId":"y","account_id":"c","#, "c"),
    ] {
      let staged = try stage(Self.answer("", around: members), in: .receipts)
      #expect(staged.rejections.isEmpty, "\(members): \(staged.rejections)")
      #expect(staged.evidence.map { $0["account_id"] } == [account])
    }
    let two = try stage(
      Self.answer("", around: #""account_id":"a","accountId":"b","#), in: .receipts)
    #expect(two.reasons == ["1 | receipt | not_a_receipt"])
  }

  @Test("two accounts beside evidence in another shape are a rejection")
  func beside() throws {
    func event(_ around: String, _ inner: String) throws -> Staged {
      try stage(#"{\#(around)"event":{"body":\#(Self.answer("", around: inner))}}"#, in: .receipts)
    }
    for names in [["account_id", "accountId"], ["accountId", "account_id"]] {
      let around = #""\#(names[0])":"a","\#(names[1])":"b","#
      let staged = try event(around, "")
      #expect(staged.evidence.isEmpty)
      #expect(staged.reasons == ["1 | receipt | not_a_receipt"])
      let detail = staged.rejections.first?["detail"]
      #expect(detail?.contains("\(names[0]) and \(names[1]) are two names") == true)
      // The account of the evidence itself counts.
      let own = try event(around, #""account_id":"c","#)
      #expect(own.rejections.isEmpty)
      #expect(own.evidence.map { $0["account_id"] } == ["c"])
      let device = try event(around, #""device_id":"c","#)
      #expect(device.evidence.isEmpty && device.rejections.count == 1)
    }
    for (around, account) in [
      (#""account_id":"17","accountId":17,"#, "17"), (#""account_id":"a","accountId":"","#, "a"),
      (#""account_id":"","accountId":"a","#, "a"), (#""account_id":"a","accountId":null,"#, "a"),
    ] {
      let staged = try event(around, "")
      #expect(staged.rejections.isEmpty, "\(around)")
      #expect(staged.evidence.map { $0["account_id"] } == [account])
    }
  }

  @Test("an empty account beside evidence does not hide that of an outer object")
  func empty() throws {
    let staged = try stage(
      #"{"account_id":"a","event":{"account_id":"","body":\#(Self.answer(""))}}"#, in: .receipts)
    #expect(staged.evidence.map { $0["account_id"] } == ["a"])
  }
}

import SignatureVerification
import SigningTestSupport
import Testing

@Suite("App receipts")
struct AppReceiptTests {
  private let authority: TestAuthority
  private let verifier: Verifier

  init() throws {
    authority = try Own.authority.get()
    verifier = try Own.verifier(trusting: authority)
  }

  /// Every form in which Apple and others have encoded and signed receipts.
  static let forms: [ReceiptForm] = {
    var forms: [ReceiptForm] = []
    for encoding in ReceiptForm.Encoding.allCases {
      for usesSHA1 in [false, true] {
        for hasSignedAttributes in [false, true] {
          for isDoubleWrapped in [false, true] {
            var form = ReceiptForm()
            form.encoding = encoding
            form.usesSHA1 = usesSHA1
            form.hasSignedAttributes = hasSignedAttributes
            form.isDoubleWrapped = isDoubleWrapped
            forms.append(form)
          }
        }
      }
    }
    return forms
  }()

  @Test(
    "signed attributes may have any length, and all of them are verified",
    arguments: [0, 10, 30, 60, 100, 150, 200, 300, 70_000])
  func signedAttributes(count: Int) throws {
    var form = ReceiptForm()
    form.hasSignedAttributes = true
    form.otherAttribute = count
    let document = try authority.appReceipt(Own.receipt, form: form)
    #expect(try verifier.appReceipt(document).bundleID == "com.example.reader")
    guard count > 0 else { return }
    var changed = document
    let place = try #require(
      document.indices.dropLast(count).last { start in
        document[start..<(start + count)].allSatisfy { $0 == 0x2e }
      })
    changed[place] = 0x2f
    #expect(throws: VerificationProblem.self) { try verifier.appReceipt(changed) }
  }

  @Test(
    "a receipt has the same content in every encoding and with every signature", arguments: forms)
  func everyForm(form: ReceiptForm) throws {
    let receipt = try verifier.appReceipt(try authority.appReceipt(Own.receipt, form: form))
    #expect(receipt.receiptType == "Production")
    #expect(receipt.bundleID == "com.example.reader")
    #expect(receipt.createdAt == "2026-11-19T03:04:05Z")
    let purchases = receipt.purchases.sorted { $0.productID ?? "" < $1.productID ?? "" }
    let book = try #require(purchases.first)
    #expect(book.transactionID == "180001177581605")
    #expect(book.originalTransactionID == "180001177581605")
    #expect(book.productID == "com.example.reader.book.moby_dick")
    #expect(book.quantity == 1)
    #expect(book.purchaseDate == "2026-11-14T10:00:00Z")
    #expect(book.originalPurchaseDate == "2026-11-14T10:00:00Z")
    #expect(book.productType == .nonConsumable)
    #expect(book.expiresDate == nil)
    #expect(book.webOrderLineItemID == nil)
    #expect(book.cancellationDate == "2026-11-16T00:00:00Z")
    #expect(book.isTrial == nil)
    #expect(book.isIntroductoryOffer == nil)
    let subscription = try #require(purchases.last)
    #expect(subscription.productType == .autoRenewable)
    #expect(subscription.expiresDate == "2027-11-14T13:30:00Z")
    #expect(subscription.webOrderLineItemID == "350000551234567")
    #expect(subscription.cancellationDate == nil)
    #expect(subscription.isTrial == false)
    #expect(subscription.isIntroductoryOffer == true)
  }

  @Test("a changed receipt has a bad signature", arguments: forms)
  func changed(form: ReceiptForm) throws {
    var bytes = try authority.appReceipt(Own.receipt, form: form)
    let name = Array("com.example.reader.book.moby_dick".utf8)
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
    bytes[start] = UInt8(ascii: "C")
    #expect(try reason { _ = try verifier.appReceipt(bytes) } == .badSignature)
  }

  @Test("certificates may be in any order, with other certificates, and without the root")
  func certificates() throws {
    let foreign = try Own.foreign.get()
    for order in [[0, 1, 2], [2, 1, 0], [1, 0], [1, 2, 0], [0, 0, 1, 1]] {
      var form = ReceiptForm()
      form.certificates = order
      let bytes = try authority.appReceipt(Own.receipt, form: form)
      #expect(try verifier.appReceipt(bytes).purchases.count == 2, "\(order)")
    }
    // A foreign root issued an authority with the same name. It does not affect the result.
    var form = ReceiptForm()
    form.certificates = [0]
    form.otherCertificates =
      foreign.receiptCertificates[1...] + [authority.receiptCertificates[1]]
    let bytes = try authority.appReceipt(Own.receipt, form: form)
    #expect(try verifier.appReceipt(bytes).purchases.count == 2)
  }

  @Test("a receipt counts if its certificates were valid at its creation, however long ago")
  func longAgo() throws {
    var shape = TestAuthority.Shape()
    shape.signerValidity = 1_577_836_800...1_609_459_199
    shape.issuerValidity = 1_577_836_800...1_609_459_199
    shape.usesSHA1 = true
    let authority = try TestAuthority.make(shape)
    let verifier = try Own.verifier(trusting: authority)
    // The first and the last second of validity are 2020-01-01T00:00:00Z and 2020-12-31T23:59:59Z.
    for (createdAt, expected) in [
      ("2019-12-31T23:59:59Z", VerificationProblem.Reason.expiredCertificate),
      ("2020-01-01T00:00:00Z", nil),
      ("2020-06-15T12:00:00+0200", nil),
      ("2020-12-31T23:59:59Z", nil),
      ("2020-12-31T23:59:59-00:01", .expiredCertificate),
      ("2021-01-01T00:00:00Z", .expiredCertificate),
    ] {
      var receipt = Own.receipt
      receipt.createdAt = createdAt
      let bytes = try authority.appReceipt(receipt)
      let found = try reason { _ = try verifier.appReceipt(bytes) }
      #expect(found == expected, "\(createdAt)")
    }
  }

  @Test("a field that is missing or empty in a receipt has no value")
  func missing() throws {
    var receipt = TestReceipt()
    receipt.receiptType = nil
    receipt.bundleID = ""
    let found = try verifier.appReceipt(try authority.appReceipt(receipt))
    #expect(found.receiptType == nil)
    #expect(found.bundleID == nil)
    #expect(found.purchases.isEmpty)
  }

  @Test(
    "attribute 1721 is the promotional offer; an empty one has no value",
    arguments: [("autumn", "autumn"), ("", nil), (nil, nil)])
  func promotionalOffer(written: String?, expected: String?) throws {
    for form in Self.forms {
      var receipt = Own.receipt
      receipt.purchases[0].promotionalOfferID = written
      let found = try verifier.appReceipt(try authority.appReceipt(receipt, form: form))
      let purchase = found.purchases.first { $0.productID == "com.example.reader.sub.yearly" }
      #expect(try #require(purchase).promotionalOfferID == expected)
    }
  }

  @Test("attributes without a name, and values of an unexpected type, are left out")
  func unknown() throws {
    var receipt = Own.receipt
    receipt.otherAttributes = [(9999, [1, 2, 3]), (0, [0x02, 0x01, 0x05]), (4, [])]
    receipt.receiptType = nil
    receipt.purchases[0].productType = 17
    receipt.purchases[0].otherAttributes = [(1701, [0x0c, 0x01, 0x31]), (1722, [0x05, 0x00])]
    receipt.purchases[0].quantity = nil
    let found = try verifier.appReceipt(try authority.appReceipt(receipt))
    #expect(found.receiptType == nil)
    let purchase = try #require(
      found.purchases.first { $0.productID == "com.example.reader.sub.yearly" })
    #expect(purchase.productType == nil)
    #expect(purchase.quantity == nil)
  }
}

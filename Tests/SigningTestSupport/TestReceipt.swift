/// The content of an app receipt.
public struct TestReceipt: Sendable {
  /// Attribute 0.
  package var receiptType: String? = "Production"
  /// Attribute 2.
  package var bundleID: String? = "com.example.reader"
  /// Attribute 3.
  package var appVersion: String? = "7"
  /// Attribute 19.
  package var originalAppVersion: String? = "1.0"
  /// Attribute 12.
  package var createdAt: String? = "2026-11-19T03:04:05Z"
  /// Attribute 17, once for each.
  public var purchases: [TestPurchase] = []
  /// Further attributes: number and encoded value.
  public var otherAttributes: [(type: Int, value: [UInt8])] = []

  /// A receipt without purchases.
  public init() {}

  /// A receipt with a subscription and a cancelled one-time purchase.
  package static var sample: TestReceipt {
    var receipt = TestReceipt()
    var subscription = TestPurchase(
      transactionID: "350001177745405", productID: "com.example.reader.sub.yearly",
      purchaseDate: "2026-11-14T13:30:00Z")
    subscription.productType = 3
    subscription.expiresDate = "2027-11-14T13:30:00Z"
    subscription.webOrderLineItemID = 350_000_551_234_567
    subscription.isIntroductoryOffer = true
    var book = TestPurchase(
      transactionID: "180001177581605", productID: "com.example.reader.book.moby_dick",
      purchaseDate: "2026-11-14T10:00:00Z")
    book.productType = 0
    book.webOrderLineItemID = 0
    book.expiresDate = ""
    book.cancellationDate = "2026-11-16T00:00:00Z"
    receipt.purchases = [subscription, book]
    return receipt
  }

  /// The content that is signed: a SET OF attributes.
  public var content: [UInt8] {
    var set = AttributeSet()
    set.text(0, receiptType)
    set.text(2, bundleID)
    set.text(3, appVersion)
    set.date(12, createdAt)
    set.text(19, originalAppVersion)
    for purchase in purchases { set.add(17, purchase.content) }
    for other in otherAttributes { set.add(other.type, other.value) }
    return set.encoded
  }
}

/// The content of one purchase in an app receipt.
public struct TestPurchase: Sendable {
  /// Attribute 1701.
  package var quantity: Int? = 1
  /// Attribute 1702.
  package var productID: String?
  /// Attribute 1703.
  package var transactionID: String?
  /// Attribute 1704.
  package var purchaseDate: String?
  /// Attribute 1705.
  package var originalTransactionID: String?
  /// Attribute 1706.
  package var originalPurchaseDate: String?
  /// Attribute 1707.
  public var productType: Int?
  /// Attribute 1708.
  public var expiresDate: String?
  /// Attribute 1711.
  public var webOrderLineItemID: Int?
  /// Attribute 1712.
  public var cancellationDate: String?
  /// Attribute 1713.
  public var isTrial: Bool?
  /// Attribute 1719.
  public var isIntroductoryOffer: Bool?
  /// Attribute 1721.
  package var promotionalOfferID: String?
  /// Further attributes: number and encoded value.
  public var otherAttributes: [(type: Int, value: [UInt8])] = []

  /// A purchase that is its own original transaction.
  public init(transactionID: String, productID: String, purchaseDate: String) {
    self.transactionID = transactionID
    self.productID = productID
    self.purchaseDate = purchaseDate
    originalTransactionID = transactionID
    originalPurchaseDate = purchaseDate
  }

  /// A SET OF attributes.
  var content: [UInt8] {
    var set = AttributeSet()
    set.integer(1701, quantity)
    set.text(1702, productID)
    set.text(1703, transactionID)
    set.date(1704, purchaseDate)
    set.text(1705, originalTransactionID)
    set.date(1706, originalPurchaseDate)
    set.integer(1707, productType)
    set.date(1708, expiresDate)
    set.integer(1711, webOrderLineItemID)
    set.date(1712, cancellationDate)
    set.integer(1713, isTrial.map { $0 ? 1 : 0 })
    set.integer(1719, isIntroductoryOffer.map { $0 ? 1 : 0 })
    set.text(1721, promotionalOfferID)
    for other in otherAttributes { set.add(other.type, other.value) }
    return set.encoded
  }
}

/// A SET OF SEQUENCE {type, version, value} that is being built.
private struct AttributeSet {
  private var attributes: [[UInt8]] = []

  var encoded: [UInt8] { DERWriter.set(attributes) }

  mutating func add(_ type: Int, _ value: [UInt8]) {
    attributes.append(
      DERWriter.element(
        0x30,
        DERWriter.integer(type) + DERWriter.integer(1) + DERWriter.element(0x04, value)))
  }

  mutating func integer(_ type: Int, _ value: Int?) {
    if let value { add(type, DERWriter.integer(value)) }
  }

  mutating func text(_ type: Int, _ value: String?) {
    if let value { add(type, DERWriter.element(0x0c, Array(value.utf8))) }
  }

  mutating func date(_ type: Int, _ value: String?) {
    if let value { add(type, DERWriter.element(0x16, Array(value.utf8))) }
  }
}

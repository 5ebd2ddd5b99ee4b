/// One delivery: the last record of an attempt.
final class Delivery {
  let id: ByteText
  let environment: ByteText
  /// The environment in the log; nil if the log names none.
  let toldEnvironment: ByteText?
  let transaction: StoreID
  let product: ByteText
  let status: DeliveryRecord.Status
  let occurredAt: Int
  let originalTransaction: StoreID?
  let lineItem: StoreID?
  let account: ByteText?
  let device: ByteText?
  let server: ByteText?
  let region: ByteText?
  let appVersion: ByteText?
  let error: ByteText?
  var family: Family?

  init(_ record: DeliveryRecord, environment: ByteText) {
    id = ByteText(record.deliveryID)
    self.environment = environment
    toldEnvironment = ByteText(record.environment)
    transaction = StoreID(record.transactionID)
    product = ByteText(record.productID)
    status = record.status
    occurredAt = record.occurredAt.seconds
    originalTransaction = StoreID(record.originalTransactionID)
    lineItem = StoreID.lineItem(record.webOrderLineItemID)
    account = ByteText(record.accountID)
    device = ByteText(record.deviceID)
    server = ByteText(record.server)
    region = ByteText(record.region)
    appVersion = ByteText(record.appVersion)
    error = ByteText(record.error)
  }

  /// Whether the left attempt is later than the right one.
  ///
  /// In one second the order is delivered, failed, pending, then the lowest id.
  static func isLater(_ left: Delivery, _ right: Delivery) -> Bool {
    guard left.occurredAt == right.occurredAt else { return left.occurredAt > right.occurredAt }
    guard left.status == right.status else { return left.status.rank < right.status.rank }
    return left.id < right.id
  }
}

extension DeliveryRecord.Status {
  var rank: Int {
    switch self {
    case .delivered: 0
    case .failed: 1
    case .pending: 2
    }
  }
}

extension DeliveryRecord {
  /// Whether this record of an attempt counts, and the other record does not.
  func stands(against other: DeliveryRecord) -> Bool {
    if (revision ?? 0) != (other.revision ?? 0) { return (revision ?? 0) > (other.revision ?? 0) }
    if occurredAt.seconds != other.occurredAt.seconds {
      return occurredAt.seconds > other.occurredAt.seconds
    }
    if status != other.status { return status.rank < other.status.rank }
    for (own, others) in zip(tieBreakers, other.tieBreakers) where own != others {
      // A missing value sorts first.
      guard let own else { return true }
      guard let others else { return false }
      return own.lexicographicallyPrecedes(others)
    }
    return false
  }

  /// Whether the records name another transaction, product, account or device.
  func differs(from other: DeliveryRecord) -> Bool {
    StoreID(transactionID) != StoreID(other.transactionID)
      || ByteText(productID) != ByteText(other.productID)
      || ByteText(accountID) != ByteText(other.accountID)
      || ByteText(deviceID) != ByteText(other.deviceID)
  }

  /// The other columns in their order, each as bytes that sort like its values.
  private var tieBreakers: [[UInt8]?] {
    func text(_ value: String?) -> [UInt8]? { ByteText(value)?.bytes }
    // A shorter number is smaller, so the length comes first.
    func number(_ value: StoreID?) -> [UInt8]? {
      value.map { [UInt8(clamping: $0.digits.bytes.count)] + $0.digits.bytes }
    }
    return [
      number(StoreID(transactionID)), text(productID), text(environment),
      number(StoreID(originalTransactionID)), number(.lineItem(webOrderLineItemID)),
      text(accountID), text(deviceID), text(server), text(region), text(appVersion), text(error),
      number(bytes.map { StoreID(String($0)) }),
    ]
  }
}

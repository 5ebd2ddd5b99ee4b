/// Decides from the members of one JSON object whether it is evidence in a documented form.
///
/// Names are those of the documentation. A member counts only with a value of the right kind.
struct EvidenceMembers {
  private enum Name: Int, CaseIterable {
    case envelope, receipt, unifiedReceipt, list, notificationType
    case text, signedList, groups, lastTransactions, renewalInfo
    case status, ofAnswer, errorCode, errorMessage
    case signedDate, identity
    case receivedAt, accountID, deviceID, storefront

    var names: [String] {
      switch self {
      case .envelope: ["verifyReceiptResponse", "verify_receipt_response"]
      case .receipt: ["receipt"]
      case .unifiedReceipt: ["unified_receipt", "unifiedReceipt"]
      case .list:
        [
          "latest_receipt_info", "latestReceiptInfo", "latest_expired_receipt_info",
          "latestExpiredReceiptInfo",
        ]
      case .notificationType: ["notification_type", "notificationType"]
      case .text:
        [
          "receipt-data", "receipt_data", "receiptData", "signedTransactionInfo", "signedPayload",
          "Payload",
        ]
      case .signedList: ["signedTransactions", "notificationHistory"]
      case .groups: ["data"]
      case .lastTransactions: ["lastTransactions"]
      case .renewalInfo: ["signedRenewalInfo"]
      case .status: ["status"]
      case .ofAnswer:
        [
          "environment", "is-retryable", "is_retryable", "isRetryable", "exception",
          "latest_receipt", "latestReceipt", "latest_expired_receipt", "latestExpiredReceipt",
          "pending_renewal_info", "pendingRenewalInfo",
        ]
      case .errorCode: ["errorCode"]
      case .errorMessage: ["errorMessage"]
      case .signedDate: ["signedDate"]
      case .identity: ["transactionId", "notificationUUID", "bundleId"]
      case .receivedAt: ["received_at", "receivedAt"]
      case .accountID: ["account_id", "accountId"]
      case .deviceID: ["device_id", "deviceId"]
      case .storefront: ["storefront"]
      }
    }

    var isTelling: Bool {
      switch self {
      case .envelope, .receipt, .unifiedReceipt, .list, .text, .signedList, .lastTransactions,
        .accountID, .deviceID:
        true
      default: false
      }
    }

    var beside: BesideMember? {
      switch self {
      case .receivedAt: .receivedAt
      case .accountID: .accountID
      case .deviceID: .deviceID
      case .storefront: .storefront
      default: nil
      }
    }
  }

  private static let names = NameTable(
    Name.allCases.flatMap { name in name.names.map { ($0, name.rawValue) } })

  /// The names that are in evidence, or beside it, and hardly in anything else.
  private static let telling = NameTable(
    (Name.allCases.filter(\.isTelling).flatMap(\.names) + [
      "in_app", "inApp", "latest_receipt", "latestReceipt", "pending_renewal_info",
      "pendingRenewalInfo", "transaction_id", "transactionId", "original_transaction_id",
      "originalTransactionId", "signedRenewalInfo",
    ]).map { ($0, 0) })

  private var there: Set<Name> = []
  private var status: Int64?
  /// Whether every member is one that an answer of `verifyReceipt` has beside its receipt.
  private var hasOnlyOfAnswer = true
  /// The account, device, storefront and time of the evidence, as they are written.
  private(set) var beside: [BesideMember: [UInt8]] = [:]
  /// The members that have two names with different values.
  private(set) var conflicts: [BesideMember: RecordProblem] = [:]
  /// The name under which each member of ``beside`` is written.
  private var namesOfBeside: [BesideMember: String] = [:]

  /// Whether an object with a member of this name is evidence, a part of it, or gives its account.
  static func isTelling(_ name: Bytes) -> Bool { telling.meaning(of: name) != nil }

  /// The members of an answer whose receipts are read with it.
  static let enclosed = [
    "latest_receipt", "latestReceipt", "latest_expired_receipt", "latestExpiredReceipt",
  ]

  /// How much of a member's value is read by the form of evidence that has such a member.
  enum Reading {
    /// Everything: evidence in it is a part of the form.
    case everything
    /// The value itself as a form, and not other evidence in it.
    case form
    /// Nothing that could be evidence by itself.
    case nothing
  }

  /// How much of the value of a member is read in evidence.
  static func reading(of name: Bytes, hasGroups: Bool) -> Reading {
    switch names.meaning(of: name).flatMap(Name.init(rawValue:)) {
    case .envelope, .unifiedReceipt: .form
    case .list, .text, .signedList, .lastTransactions, .ofAnswer, .renewalInfo: .everything
    case .groups: hasGroups ? .everything : .nothing
    default: .nothing
    }
  }

  /// Whether a member says that the object is about a purchase.
  private var isAboutPurchase = false

  /// Whether the object is about a purchase, and only its renewal information is signed.
  var hasOnlyRenewal: Bool { isAboutPurchase && there.contains(.renewalInfo) && !isEvidence }

  /// Takes a member.
  ///
  /// - Parameters:
  ///   - hasEvidence: Whether evidence was found in its value.
  ///   - isEvidence: Whether the value is a text that is evidence by itself.
  ///   - hasGroups: Whether lists of `lastTransactions` were found in it.
  mutating func take(
    _ written: Bytes, _ value: Bytes, hasEvidence: Bool, isEvidence: Bool, hasGroups: Bool
  ) {
    if DecodedNotification.ofPurchase.contains(where: { written.equals($0) }) {
      isAboutPurchase = true
    }
    guard let meaning = Self.names.meaning(of: written), let name = Name(rawValue: meaning) else {
      hasOnlyOfAnswer = false
      return
    }
    if name != .status, name != .ofAnswer { hasOnlyOfAnswer = false }
    let isObject = value.first == Byte.openBrace
    let isArray = value.first == Byte.openBracket
    switch name {
    case .envelope: if isObject, hasEvidence { there.insert(name) }
    case .receipt, .unifiedReceipt: if isObject { there.insert(name) }
    case .list: if isObject || isArray { there.insert(name) }
    case .text, .renewalInfo: if isEvidence { there.insert(name) }
    case .signedList, .lastTransactions: if isArray, hasEvidence { there.insert(name) }
    case .groups: if isArray, hasGroups { there.insert(name) }
    case .status:
      status = FieldText.wholeNumber(value.withoutQuotes)
      there.insert(name)
    case .errorCode:
      if let code = FieldText.wholeNumber(value.withoutQuotes), AppleStatus.isErrorCode(code) {
        there.insert(name)
      }
    case .notificationType, .errorMessage, .ofAnswer, .signedDate, .identity:
      there.insert(name)
    case .receivedAt, .accountID, .deviceID, .storefront:
      if let member = name.beside { take(member, named: written.string, value) }
    }
  }

  private mutating func take(_ member: BesideMember, named name: String, _ value: Bytes) {
    let isText = value.first == Byte.quote && value.count > 2
    guard isText || value.first.map({ $0.isDigit }) ?? false else { return }
    // The value is read again with each piece of evidence, so one that is too long in any
    // spelling is kept as a shorter one that is rejected for the same reason.
    let value = value.count > Self.longestBeside ? Self.tooLongBeside : Array(value)
    if let earlier = beside[member], let other = namesOfBeside[member], other != name,
      !member.areEqual(earlier, value)
    {
      conflicts[member] = RecordProblem(
        .notAReceipt,
        "This is not evidence: \(other) and \(name) are two names of one member, and their values "
          + "differ. Write only one of them beside the evidence.")
    }
    beside[member] = value
    namesOfBeside[member] = name
  }

  /// The members of an envelope that are read from the evidence itself.
  var own: Set<BesideMember> { Set(beside.keys) }

  /// The length of the longest accepted name in quotes, each character written as two escapes.
  private static let longestBeside = 12 * FieldText.productLimit + 2
  private static let tooLongBeside =
    [Byte.quote] + [UInt8](repeating: UInt8(ascii: "x"), count: FieldText.productLimit + 1)
    + [Byte.quote]

  /// Whether it is the entry of an answer about all subscriptions of a customer.
  var hasGroups: Bool { there.contains(.lastTransactions) }

  /// Whether the object is evidence in a documented form.
  var isEvidence: Bool {
    let isAnswer = status.map { AppleStatus.isOfReceipt($0) } ?? false
    let forms: Set<Name> = [.envelope, .text, .signedList, .groups, .unifiedReceipt]
    if !there.isDisjoint(with: forms) || there.isSuperset(of: [.notificationType, .list]) {
      return true
    }
    if isAnswer, there.contains(.receipt) || there.contains(.list) { return true }
    // Apple has no status from 1 to 20999. Any server can answer with a status of 0 alone.
    if isAnswer, status != 0, hasOnlyOfAnswer { return true }
    return there.contains(.errorCode) && there.contains(.errorMessage)
  }

  /// Whether it is the content of a signed text, without the signature.
  var isDecodedPayload: Bool { there.contains(.signedDate) && there.contains(.identity) }
}

extension UnsafeBufferPointer<UInt8> {
  var withoutQuotes: Bytes {
    count >= 2 && first == Byte.quote && last == Byte.quote ? part(1..<count - 1) : self
  }
}

/// The members of an envelope, a response and a receipt that are read.
enum DocumentField: Int, RecordField {
  // Fields that only other forms of evidence have come first, so that one check covers all of them.
  case receiptData, signedTransactionInfo, signedTransactions, signedPayload, notificationHistory
  case subscriptionGroups, payload, unifiedReceipt, notificationType, errorCode, receiptType
  case decodedPayload
  case verifyReceiptResponse, receivedAt, accountID, deviceID, storefront
  case status, environment, receipt, latestReceiptInfo, latestExpiredReceiptInfo
  case requestDate, requestDateMilliseconds, creationDate, creationDateMilliseconds
  case bundleID, bid, inApp, transactionID, store
  case latestReceipt, latestExpiredReceipt
  case cancellationDate, cancellationDateMilliseconds, webOrderLineItemID
  case renewals

  static let noticesOthers = true

  /// The number of fields that show a form other than an answer of `verifyReceipt`.
  static let formCount = DocumentField.decodedPayload.rawValue + 1

  /// The fields that are read from an envelope, an answer or a notification.
  static let ofNotification = ofReceipt.filter {
    ![.inApp, .transactionID, .creationDate, .creationDateMilliseconds].contains($0)
  }

  /// The members beside evidence.
  static let ofEnvelope: [DocumentField] = [.receivedAt, .accountID, .deviceID, .storefront]

  /// The fields that are read from an envelope or an answer.
  static let ofDocument = ofNotification.filter {
    ![
      .bundleID, .bid, .cancellationDate, .cancellationDateMilliseconds, .webOrderLineItemID,
    ].contains($0)
  }

  /// The members of an answer that would be lost under another spelling.
  static let requiredSpellings: [DocumentField] = [
    .environment, .receipt, .latestReceiptInfo, .latestExpiredReceiptInfo, .latestReceipt,
    .latestExpiredReceipt, .requestDate, .requestDateMilliseconds,
  ]

  /// The members of a notification of version 1, beside those of an answer, that would be lost under
  /// another spelling.
  static let requiredSpellingsOfNotification: [DocumentField] =
    requiredSpellings + [
      .unifiedReceipt, .bid, .cancellationDate, .cancellationDateMilliseconds, .webOrderLineItemID,
    ]

  /// The members of an answer's receipt that would be lost under another spelling.
  static let requiredSpellingsOfReceipt: [DocumentField] = [
    .inApp, .bundleID, .bid, .receiptType, .requestDate, .requestDateMilliseconds, .creationDate,
    .creationDateMilliseconds,
  ]

  /// The fields that are read from a receipt; `decodedPayload` is several members, not one.
  static let ofReceipt = allCases.filter { $0 != .decodedPayload }

  @inline(__always)
  var place: Int { rawValue }

  /// The member's name as Apple writes it.
  var name: String {
    switch self {
    case .receiptData: return "receipt-data"
    case .signedTransactionInfo: return "signedTransactionInfo"
    case .signedTransactions: return "signedTransactions"
    case .signedPayload: return "signedPayload"
    case .notificationHistory: return "notificationHistory"
    case .subscriptionGroups: return "data"
    case .payload: return "Payload"
    case .unifiedReceipt: return "unified_receipt"
    case .notificationType: return "notification_type"
    case .errorCode: return "errorCode"
    case .decodedPayload: return "signedDate"
    case .store: return "Store"
    case .verifyReceiptResponse: return "verify_receipt_response"
    case .receivedAt: return "received_at"
    case .accountID: return "account_id"
    case .deviceID: return "device_id"
    case .storefront: return "storefront"
    case .status: return "status"
    case .environment: return "environment"
    case .receipt: return "receipt"
    case .latestReceiptInfo: return "latest_receipt_info"
    case .latestExpiredReceiptInfo: return "latest_expired_receipt_info"
    case .requestDate: return "request_date"
    case .requestDateMilliseconds: return "request_date_ms"
    case .creationDate: return "receipt_creation_date"
    case .creationDateMilliseconds: return "receipt_creation_date_ms"
    case .bundleID: return "bundle_id"
    case .bid: return "bid"
    case .inApp: return "in_app"
    case .transactionID: return "transaction_id"
    case .receiptType: return "receipt_type"
    case .latestReceipt: return "latest_receipt"
    case .latestExpiredReceipt: return "latest_expired_receipt"
    case .cancellationDate: return "cancellation_date"
    case .cancellationDateMilliseconds: return "cancellation_date_ms"
    case .webOrderLineItemID: return "web_order_line_item_id"
    case .renewals: return "pending_renewal_info"
    }
  }

  var reading: FieldReading {
    switch self {
    case .receivedAt, .requestDate, .creationDate, .cancellationDate: .date
    case .requestDateMilliseconds, .creationDateMilliseconds, .cancellationDateMilliseconds:
      .milliseconds
    case .status, .errorCode: .wholeNumber
    case .webOrderLineItemID: .lineItem
    case .signedTransactions, .notificationHistory, .subscriptionGroups, .unifiedReceipt,
      .verifyReceiptResponse, .receipt, .latestReceiptInfo, .latestExpiredReceiptInfo, .inApp:
      .contents
    case .notificationType, .decodedPayload, .renewals: .presence
    default: .text
    }
  }

  /// Both spellings of all names, and other names that identify a receipt or a decoded payload.
  static let names = NameTable(
    allCases.flatMap { [($0.name, $0.rawValue), (camelCase($0.name), $0.rawValue)] }
      + ["receipt_data", "receiptData"].map { ($0, DocumentField.receiptData.rawValue) }
      + ["notificationUUID", "purchaseDate", "appTransactionId"]
      .map { ($0, DocumentField.decodedPayload.rawValue) })

  /// The names of which other spellings are noticed.
  static let spellings =
    (requiredSpellingsOfNotification + requiredSpellingsOfReceipt + ofEnvelope)
    .map { (name: $0.name, meaning: $0.rawValue) }
}

/// The members of a transaction that are read.
enum TransactionField: Int, RecordField {
  case transactionID, originalTransactionID, productID, quantity, webOrderLineItemID
  case purchaseDate, purchaseDateMilliseconds
  case originalPurchaseDate, originalPurchaseDateMilliseconds
  case expiresDate, expiresDateMilliseconds, cancellationDate, cancellationDateMilliseconds
  case isTrialPeriod, isInIntroOfferPeriod, promotionalOfferID, offerCodeRefName
  case inAppOwnershipType, isUpgraded, price, currency, storefront

  @inline(__always)
  var place: Int { rawValue }

  /// The member's name as Apple writes it.
  var name: String {
    switch self {
    case .transactionID: return "transaction_id"
    case .originalTransactionID: return "original_transaction_id"
    case .productID: return "product_id"
    case .quantity: return "quantity"
    case .webOrderLineItemID: return "web_order_line_item_id"
    case .purchaseDate: return "purchase_date"
    case .purchaseDateMilliseconds: return "purchase_date_ms"
    case .originalPurchaseDate: return "original_purchase_date"
    case .originalPurchaseDateMilliseconds: return "original_purchase_date_ms"
    case .expiresDate: return "expires_date"
    case .expiresDateMilliseconds: return "expires_date_ms"
    case .cancellationDate: return "cancellation_date"
    case .cancellationDateMilliseconds: return "cancellation_date_ms"
    case .isTrialPeriod: return "is_trial_period"
    case .isInIntroOfferPeriod: return "is_in_intro_offer_period"
    case .promotionalOfferID: return "promotional_offer_id"
    case .offerCodeRefName: return "offer_code_ref_name"
    case .inAppOwnershipType: return "in_app_ownership_type"
    case .isUpgraded: return "is_upgraded"
    case .price: return "price"
    case .currency: return "currency"
    case .storefront: return "storefront"
    }
  }

  var reading: FieldReading {
    switch self {
    case .purchaseDate, .originalPurchaseDate, .expiresDate, .cancellationDate: .date
    case .purchaseDateMilliseconds, .originalPurchaseDateMilliseconds, .expiresDateMilliseconds,
      .cancellationDateMilliseconds:
      .milliseconds
    case .quantity: .wholeNumber
    case .webOrderLineItemID: .lineItem
    case .isTrialPeriod, .isInIntroOfferPeriod, .isUpgraded: .flag
    case .promotionalOfferID, .offerCodeRefName: .presence
    case .price: .amount
    default: .text
    }
  }

  /// Both spellings of all names, and Apple's names that every transaction has and that are not
  /// read.
  static let names = NameTable(
    allCases.flatMap { [($0.name, $0.rawValue), (camelCase($0.name), $0.rawValue)] }
      + [
        "purchase_date_pst", "original_purchase_date_pst", "expires_date_pst",
        "cancellation_date_pst", "subscription_group_identifier",
      ].map { ($0, NameTable.unread) })

  /// The names of which other spellings are noticed.
  static let spellings = allCases.map { (name: $0.name, meaning: $0.rawValue) }
}

import SignatureVerification

/// The facts of a receipt document about all its transactions.
struct ReceiptDocument {
  let status: Int32
  let environment: Bytes
  /// Whether another member of the answer names another environment.
  let environmentsDisagree: Bool
  /// The members beside the answer.
  let beside: EvidenceEnvelope
  /// The lists of transactions, each with the instant that dates them.
  let lists: [List]
  /// The refund that a notification of version 1 reports beside its transactions.
  let cancellation: NotifiedCancellation?

  /// A list of transactions, or one transaction.
  struct List {
    let value: JSONValue
    let evidenceAt: Int64?
  }

  /// The maximum number of transactions of one document.
  static let entryLimit = AppReceipt.purchaseLimit

  /// Whether the status is usable.
  var isUsable: Bool { Self.isUsable(status) }

  /// Whether a status is 0, or 21006: the subscription has expired, but the body has the purchase.
  static func isUsable(_ status: Int32) -> Bool { status == 0 || status == 21006 }
}

extension RecordParser {
  /// Reads the facts of an answer of `verifyReceipt` about all its transactions.
  ///
  /// A notification of version 1 contains such an answer, or the lists of one. Its other members
  /// are then in `envelope`.
  func readAnswer(
    _ answer: JSONValue, beside: EvidenceEnvelope, isNotification: Bool = false,
    in file: FileContext
  ) throws(RecordProblem) -> ReceiptDocument {
    response.read(answer)
    let status = isNotification && response[.status] == nil ? 0 : try status()
    if let value = response[.receipt], value.isObject {
      receipt.read(value)
    } else {
      receipt.clear()
    }
    if let value = response[.receipt], !value.isObject {
      // A server can keep the receipt that it sent to Apple in the answer, in the place of Apple's.
      let isText = value.string != nil && EvidenceSearch.mayFindEvidence(in: value)
      guard isText, response[.latestReceiptInfo] != nil else {
        throw .notAReceipt("receipt is not an object")
      }
      hasUnreadMembers = true
    }
    // A receipt contains no answer and no other form.
    let isNested =
      receipt.hasAny(ofFirst: DocumentField.errorCode.place)
      || receipt.hasAny(
        of: .status, .receipt, .latestReceipt, .latestReceiptInfo, .verifyReceiptResponse)
    if receipt.hasOthers || isNested { hasUnreadMembers = true }
    try receipt.requireOneName(of: DocumentField.ofReceipt) { .notAReceipt($0) }
    let isUsable = ReceiptDocument.isUsable(status)
    if isUsable {
      try response.requireSpelling(of: DocumentField.requiredSpellings)
      if isNotification {
        try envelope.requireSpelling(of: DocumentField.requiredSpellingsOfNotification)
      }
      try receipt.requireSpelling(of: DocumentField.requiredSpellingsOfReceipt)
      if !file.bundleIDs.isEmpty { try file.requireOurs(bundle(isNotification)) }
      if file.settings.trust == .signed {
        throw .unsigned(
          "With trust: signed, an unsigned answer is not used; send the receipt.")
      }
    }
    var requestedAt = try instant(receipt, .requestDateMilliseconds, .requestDate)
    if requestedAt == nil {
      requestedAt = try instant(response, .requestDateMilliseconds, .requestDate)
    }
    let createdAt = try instant(receipt, .creationDateMilliseconds, .creationDate)
    let (environment, environmentsDisagree) = try self.environment(isNotification)
    let lists = isUsable ? try self.lists(requestedAt, createdAt, isNotification) : []
    if isUsable, lists.isEmpty, receipt[.receipt]?.isObject == true, receipt[.status] == nil {
      throw .notAReceipt("its receipt contains a second receipt")
    }
    return ReceiptDocument(
      status: status,
      environment: environment, environmentsDisagree: environmentsDisagree, beside: beside,
      lists: lists, cancellation: isNotification ? try readCancellation(of: lists) : nil)
  }

  private func bundle(_ isNotification: Bool) -> Bytes? {
    if let bundle = receipt[.bundleID]?.string ?? receipt[.bid]?.string { return bundle }
    guard isNotification else { return nil }
    return envelope[.bid]?.string ?? envelope[.bundleID]?.string
      ?? envelope[.latestReceiptInfo]?.member("bid")?.string
  }

  private func status() throws(RecordProblem) -> Int32 {
    guard let value = response[.status] else { throw .notAReceipt("it has no status") }
    guard let number = value.wholeNumber, let status = Int32(exactly: number) else {
      throw .notAReceipt("its status is not a number")
    }
    switch status {
    case 0, 21006, 21007, 21008: return status
    default:
      throw RecordProblem(
        .status,
        "Apple answered with status \(status), so nothing is known about the receipt; "
          + "\(Self.advice(on: status)).",
        status: number)
    }
  }

  /// What to do about a status (developer.apple.com/documentation/appstorereceipts/status).
  private static func advice(on status: Int32) -> String {
    switch status {
    case 21002, 21003, 21010: "check where the receipt came from"
    case 21004: "ask again with the shared secret of this app"
    default: "ask again"
    }
  }

  /// The environment, and whether the type of the receipt or the notification names another one.
  ///
  /// A receipt's type can only contradict: an answer that names no environment is from Production,
  /// whatever the type of its receipt is.
  private func environment(
    _ isNotification: Bool
  ) throws(RecordProblem) -> (Bytes, disagrees: Bool) {
    let own = try environment(response[.environment])
    let notified = isNotification ? try environment(envelope[.environment]) : nil
    guard let named = own ?? notified else { return (Environment.production, false) }
    let type = receipt[.receiptType]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let disagrees =
      notified.map { !$0.elementsEqual(named) } ?? false
      || Environment.named(type).map { !$0.elementsEqual(named) } ?? false
    return (named, disagrees)
  }

  /// The environment that a member names; archives and notifications have other words for the two.
  private func environment(_ value: JSONValue?) throws(RecordProblem) -> Bytes? {
    Environment.named(try JSONField.identifier(value, "environment", documentTexts))
  }

  private func instant(
    _ slots: FieldSlots<DocumentField>, _ milliseconds: DocumentField, _ text: DocumentField
  ) throws(RecordProblem) -> Int64? {
    try JSONField.instant(milliseconds: slots[milliseconds], text: slots[text], text.name)
  }

  private func lists(
    _ requestedAt: Int64?, _ createdAt: Int64?, _ isNotification: Bool
  ) throws(RecordProblem) -> [ReceiptDocument.List] {
    var lists: [ReceiptDocument.List] = []
    if let inApp = receipt[.inApp] {
      lists.append(ReceiptDocument.List(value: inApp, evidenceAt: createdAt))
    } else if receipt[.transactionID] != nil, let own = response[.receipt] {
      // The older form: the receipt itself is the transaction.
      lists.append(ReceiptDocument.List(value: own, evidenceAt: requestedAt))
    }
    for field in [DocumentField.latestReceiptInfo, .latestExpiredReceiptInfo] {
      if let value = response[field] {
        lists.append(ReceiptDocument.List(value: value, evidenceAt: requestedAt))
      }
      // A notification repeats its newest transactions beside the answer, or has them only there.
      if isNotification, envelope[.unifiedReceipt] != nil, let value = envelope[field] {
        lists.append(ReceiptDocument.List(value: value, evidenceAt: requestedAt))
      }
    }
    // PHP writes an empty list as an empty object.
    lists.removeAll {
      $0.value.string?.isEmpty == true || $0.value.isObject && $0.value.contents.isEmpty
    }
    var entries = 0
    for list in lists {
      guard list.value.isArray || list.value.isObject else {
        throw .notAReceipt("a list of its transactions is neither an array nor an object")
      }
      entries += list.value.isArray ? list.value.elementCount : 1
    }
    guard entries <= ReceiptDocument.entryLimit else { throw .tooManyEntries(entries) }
    return lists
  }
}

extension RecordProblem {
  static func tooManyEntries(_ entries: Int) -> RecordProblem {
    RecordProblem(
      .tooLarge,
      "The document has \(entries) transactions, and the limit is \(ReceiptDocument.entryLimit); "
        + "split it.")
  }

  static func notAReceipt(_ why: String) -> RecordProblem {
    RecordProblem(
      .notAReceipt,
      "This is not evidence of a purchase: \(why). Put it here as Apple gave it, or in an envelope."
    )
  }
}

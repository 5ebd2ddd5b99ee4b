/// What a receipt document says of all its transactions.
struct ReceiptDocument {
  let status: Int32
  let environment: Bytes
  let accountID: Bytes?
  let deviceID: Bytes?
  let storefront: Bytes?
  /// When somebody got the document.
  let receivedAt: Int64?
  /// When Apple was asked.
  let requestedAt: Int64?
  /// When Apple made the receipt.
  let createdAt: Int64?
  /// The lists of transactions, each with the instant that dates them.
  let lists: [List]

  /// A list of transactions, or one transaction.
  struct List {
    let value: JSONValue
    let evidenceAt: Int64?
  }

  /// The most transactions of one document.
  static let entryLimit = 50_000

  /// Status 0, and 21006: the subscription has expired, but the body tells the purchase.
  var isUsable: Bool { status == 0 || status == 21006 }

  /// Status 21007 and 21008: the App Store of the wrong environment was asked.
  var isWrongEnvironment: Bool { status == 21007 || status == 21008 }
}

extension RecordParser {
  /// Reads what a document says of all its transactions.
  func readDocument(_ root: JSONValue, in file: FileContext) throws(RecordProblem)
    -> ReceiptDocument
  {
    guard root.isObject else { throw .notAReceipt("it is no object") }
    documentTexts.begin()
    envelope.read(root)
    let isEnvelope = envelope[.verifyReceiptResponse] != nil
    response.read(envelope[.verifyReceiptResponse] ?? root)
    if let wrapped = envelope[.verifyReceiptResponse], !wrapped.isObject {
      throw .notAReceipt("verifyReceiptResponse is no object")
    }
    let status = try status()
    let receivedAt = try JSONField.instant(
      milliseconds: nil, text: isEnvelope ? envelope[.receivedAt] : nil, "received_at")
    if let receipt = response[.receipt], !receipt.isObject {
      throw .notAReceipt("receipt is no object")
    }
    if let value = response[.receipt] { receipt.read(value) } else { receipt.clear() }
    let isUsable = status == 0 || status == 21006
    if isUsable, !file.bundleIDs.isEmpty { try requireOurBundle(in: file) }
    var requestedAt = try instant(receipt, .requestDateMilliseconds, .requestDate)
    if requestedAt == nil {
      requestedAt = try instant(response, .requestDateMilliseconds, .requestDate)
    }
    let createdAt = try instant(receipt, .creationDateMilliseconds, .creationDate)
    return ReceiptDocument(
      status: status,
      environment: try environment(),
      accountID: isEnvelope
        ? try JSONField.name(envelope[.accountID], "account_id", documentTexts) : nil,
      deviceID: isEnvelope
        ? try JSONField.name(envelope[.deviceID], "device_id", documentTexts) : nil,
      storefront: isEnvelope
        ? try JSONField.identifier(envelope[.storefront], "storefront", documentTexts) : nil,
      receivedAt: receivedAt, requestedAt: requestedAt, createdAt: createdAt,
      lists: isUsable ? try lists(requestedAt, createdAt) : [])
  }

  private func status() throws(RecordProblem) -> Int32 {
    guard let value = response[.status] else { throw .notAReceipt("it has no status") }
    let number = value.string.map { FieldText.wholeNumber($0) } ?? value.integer
    guard let number, let status = Int32(exactly: number) else {
      throw .notAReceipt("its status is no number")
    }
    switch status {
    case 0, 21006, 21007, 21008: return status
    default:
      throw RecordProblem(
        .status,
        "Apple answered with status \(status), so that nothing is known of the receipt; ask again.",
        status: number)
    }
  }

  private func requireOurBundle(in file: FileContext) throws(RecordProblem) {
    let bundle = receipt[.bundleID]?.string ?? receipt[.bid]?.string
    if let bundle, file.bundleIDs.contains(where: { $0.elementsEqual(bundle) }) { return }
    let name =
      bundle.map { "the app \($0.part(0..<min($0.count, FieldText.productLimit)).string)" }
      ?? "no named app"
    throw RecordProblem(
      .foreignBundle,
      "The receipt is for \(name), not for one of bundle_ids; add it there if it is.")
  }

  /// The environment; archives and notifications have other words for the two.
  private func environment() throws(RecordProblem) -> Bytes {
    let text = try JSONField.identifier(response[.environment], "environment", documentTexts)
    return Environment.named(text) ?? Environment.production
  }

  private func instant(
    _ slots: FieldSlots<DocumentField>, _ milliseconds: DocumentField, _ text: DocumentField
  ) throws(RecordProblem) -> Int64? {
    try JSONField.instant(milliseconds: slots[milliseconds], text: slots[text], text.name)
  }

  private func lists(
    _ requestedAt: Int64?, _ createdAt: Int64?
  ) throws(RecordProblem) -> [ReceiptDocument.List] {
    var lists: [ReceiptDocument.List] = []
    if let inApp = receipt[.inApp] {
      lists.append(ReceiptDocument.List(value: inApp, evidenceAt: createdAt))
    } else if receipt[.transactionID] != nil, let own = response[.receipt] {
      // The older form: the receipt itself is the transaction.
      lists.append(ReceiptDocument.List(value: own, evidenceAt: requestedAt))
    }
    for field in [DocumentField.latestReceiptInfo, .latestExpiredReceiptInfo] {
      guard let value = response[field] else { continue }
      lists.append(ReceiptDocument.List(value: value, evidenceAt: requestedAt))
    }
    lists.removeAll { $0.value.string?.isEmpty == true }
    var entries = 0
    for list in lists {
      guard list.value.isArray || list.value.isObject else {
        throw .notAReceipt("a list of its transactions is neither an array nor an object")
      }
      entries += list.value.isArray ? list.value.elementCount : 1
    }
    guard entries <= ReceiptDocument.entryLimit else {
      throw RecordProblem(
        .tooLarge,
        "The document has \(entries) transactions, the limit is \(ReceiptDocument.entryLimit); "
          + "split it.")
    }
    return lists
  }
}

extension RecordProblem {
  static func notAReceipt(_ why: String) -> RecordProblem {
    RecordProblem(
      .notAReceipt,
      "This is no answer of verifyReceipt: \(why). Put the answer here as it came, or in an envelope."
    )
  }
}

/// What kind of record something looks like.
enum RecordKind {
  case receipt, delivery, catalogue, client, acknowledgement, unknown

  /// The folder that such records belong into.
  var folder: Folder? {
    switch self {
    case .receipt: return .receipts
    case .delivery: return .deliveries
    case .catalogue: return .catalog
    case .client: return .client
    case .acknowledgement: return .acknowledgements
    case .unknown: return nil
    }
  }
}

extension Folder {
  /// What a rejected record of the folder is called.
  var kind: RejectionKind {
    switch self {
    case .receipts: return .receipt
    case .deliveries: return .delivery
    case .catalog: return .catalogue
    case .client: return .client
    case .acknowledgements: return .acknowledgement
    }
  }
}

extension FormatProbe {
  /// What a line is, if it is a JSON object by itself.
  func kind(ofObject line: Bytes) -> RecordKind? {
    guard line.first == Byte.openBrace, line.last == Byte.closeBrace,
      line.count <= file.settings.documentLimitBytes,
      let value = try? parser.parse(line), value.isObject
    else { return nil }
    return kind(of: value)
  }

  /// What a whole file is, if it is one JSON document.
  func kind(ofDocument bytes: Bytes) -> RecordKind? {
    guard let value = try? parser.parse(bytes) else { return nil }
    return kind(of: value)
  }

  /// What a JSON value looks like.
  func kind(of value: JSONValue) -> RecordKind {
    if value.isArray {
      // The first plain list of the catalogue, version 1.
      return value.elementCount > 0 && value.value(at: value.index + 1).string != nil
        ? .catalogue : .unknown
    }
    guard value.isObject else { return .unknown }
    // Further columns of a log can be called anything, even as Apple calls its own.
    if file.folder == .deliveries, isDelivery(value) { return .delivery }
    if file.folder == .client, isClientRecord(value) { return .client }
    for name: StaticString in [
      "verifyReceiptResponse", "verify_receipt_response", "receipt", "latest_receipt_info",
      "latestReceiptInfo", "receipt-data", "receipt_data", "receiptData", "signedTransactionInfo",
      "signedTransactions", "signedPayload", "notificationHistory", "unified_receipt",
      "notification_type", "notificationUUID", "Payload", "errorCode",
    ] where value.member(name) != nil {
      return .receipt
    }
    if let groups = value.member("data"), SubscriptionGroups.isThere(groups),
      groups.elementCount > 0
    {
      return .receipt
    }
    if let products = value.member("products"), products.isArray { return .catalogue }
    if StoreKitConfiguration.isOne(value) || AppStoreConnectAnswer(value) != nil {
      return .catalogue
    }
    if isDelivery(value) { return .delivery }
    if isClientRecord(value) { return .client }
    return value.member("status") == nil ? .unknown : .receipt
  }

  private func isDelivery(_ value: JSONValue) -> Bool {
    let slots = FieldSlots<DeliveryColumn>(names: file.deliveryNames)
    slots.read(value)
    return slots[.deliveryID] != nil || slots[.occurredAt] != nil
  }

  private func isClientRecord(_ value: JSONValue) -> Bool {
    value.member("transaction_date") != nil || value.member("reported_at") != nil
  }

  /// What the rows are, if the first line is the header row of a log.
  func kind(ofHeaderIn lines: NonBlankLines) -> RecordKind? {
    guard let line = lines.header else { return nil }
    let text = line.part(0..<min(line.count, 16 << 10)).string
    let names = Set(text.split { ",;\t|\"".contains($0) }.map(String.init))
    let isClient =
      names.contains("product_id")
      && (names.contains("reported_at") || names.isSuperset(of: ["state", "transaction_date"]))
    if file.folder == .client, isClient { return .client }
    if file.folder == .acknowledgements, names.contains("finding") { return .acknowledgement }
    func has(_ column: DeliveryColumn) -> Bool { names.contains(column.name(in: file)) }
    if has(.deliveryID) || has(.transactionID) && has(.occurredAt) { return .delivery }
    if isClient { return .client }
    return names.isSuperset(of: ["finding", "because"]) ? .acknowledgement : nil
  }

  /// A file that belongs into another folder.
  func misplaced(_ kind: RecordKind) -> FileFormat {
    let folder = (kind.folder ?? file.folder).rawValue
    return .unusable(
      RecordProblem(
        .wrongFolder,
        "These records belong into \(folder)/, not into \(file.folder.rawValue)/; move the file."))
  }
}

/// The lines of a file that are not blank, each without the white space around it.
struct NonBlankLines: Sequence, IteratorProtocol {
  private let bytes: Bytes
  private let isWhole: Bool
  private var at = 0

  /// Takes bytes; unless they are the whole file, a last line without its end is not given.
  init(_ bytes: Bytes, isWhole: Bool) {
    self.bytes = bytes
    self.isWhole = isWhole
  }

  mutating func next() -> Bytes? {
    while at < bytes.count {
      let feed = bytes.position(of: Byte.lineFeed, from: at)
      guard let end = feed ?? (isWhole ? bytes.count : nil) else { return nil }
      let line = bytes.part(at..<end).trimmed
      at = end + 1
      if !line.isEmpty { return line }
    }
    return nil
  }

  /// The first line that does not only name the separator of those below it.
  var header: Bytes? {
    guard let first = line(0) else { return nil }
    // A tab is white space, which lines are given without.
    return first.starts(with: "sep=") && first.count <= 5 ? line(1) : first
  }

  /// A line by its number from 0.
  func line(_ number: Int) -> Bytes? {
    var lines = self
    for _ in 0..<number where lines.next() == nil { return nil }
    return lines.next()
  }
}

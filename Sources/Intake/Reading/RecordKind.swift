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

  /// Whether a line is a record of the folder by itself.
  func fits(_ line: Bytes) -> Bool {
    if file.folder == .receipts, EvidenceShape.isOneRecord(line) { return true }
    return kind(ofObject: line)?.folder == file.folder
  }

  /// Whether a line is an object that is no record of another folder.
  func isOursOrUnknown(_ line: Bytes) -> Bool {
    kind(ofObject: line).map { $0 == .unknown || $0.folder == file.folder } ?? fits(line)
  }

  /// Whether any of the lines is a record of the folder.
  func hasRecord(_ bytes: Bytes) -> Bool {
    NonBlankLines(bytes, isWhole: true).contains { fits($0) && !isOfList($0) }
  }

  /// Whether an object is like the entries of a list that the App Store Server API answers with.
  func isOfList(_ line: Bytes) -> Bool {
    guard let value = try? parser.parse(line) else { return false }
    return value.member("signedPayload") != nil || value.member("signedTransactionInfo") != nil
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
    if isReceipt(value) { return .receipt }
    if let products = value.member("products"), products.isArray { return .catalogue }
    if StoreKitConfiguration.isOne(value) || AppStoreConnectAnswer(value) != nil {
      return .catalogue
    }
    if isDelivery(value) { return .delivery }
    if isClientRecord(value) { return .client }
    return isBareAnswer(value) ? .receipt : .unknown
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
    let hint =
      file.folder == .deliveries
      ? ", or, if they are deliveries under names of your own, set delivery_columns" : ""
    return .unusable(
      RecordProblem(
        .wrongFolder,
        "No record of this file fits \(file.folder.rawValue)/; they belong into \(folder)/. Move the "
          + "file\(hint)."))
  }
}

/// The kind of record that a value or a line looks like.
enum RecordKind {
  case receipt, delivery, catalogue, client, acknowledgement, unknown

  /// The folder in which such records belong.
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
  /// The kind under which a record of the folder is rejected.
  var kind: RejectionKind {
    switch self {
    case .receipts: return .receipt
    case .deliveries: return .delivery
    case .catalog: return .catalogue
    case .client: return .client
    case .acknowledgements: return .acknowledgement
    // A report counts as a whole or not at all.
    case .apple: return .file
    }
  }
}

extension FormatProbe {
  /// The kind of a line, if the line is a JSON object by itself.
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

  /// Whether a line is a record of the folder, or an object of an unknown kind.
  func isOursOrUnknown(_ line: Bytes) -> Bool {
    kind(ofObject: line).map { $0 == .unknown || $0.folder == file.folder } ?? fits(line)
  }

  /// Whether any of the lines is a record of the folder, but no entry of one of Apple's lists.
  func hasRecord(_ bytes: Bytes) -> Bool {
    NonBlankLines(bytes, isWhole: true).contains { fits($0) && !isOfList($0) }
  }

  /// Whether an object looks like an entry of a list in an answer of the App Store Server API.
  func isOfList(_ line: Bytes) -> Bool {
    guard let value = try? parser.parse(line) else { return false }
    return value.member("signedPayload") != nil || value.member("signedTransactionInfo") != nil
  }

  /// The kind of a whole file, if the file is one JSON document.
  func kind(ofDocument bytes: Bytes) -> RecordKind? {
    guard let value = try? parser.parse(bytes) else { return nil }
    return kind(of: value)
  }

  /// The kind that a JSON value looks like.
  func kind(of value: JSONValue) -> RecordKind {
    if value.isArray {
      // This is version 1 of the catalogue, a plain list.
      return value.elementCount > 0 && value.value(at: value.index + 1).string != nil
        ? .catalogue : .unknown
    }
    guard value.isObject else { return .unknown }
    // Other columns of a log can have any name, even one of Apple's.
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

  /// The kind of the rows, if the first line is a known header row.
  func kind(ofHeaderIn lines: NonBlankLines) -> RecordKind? {
    // A quote before a colon is JSON: the end of a line of which the beginning is missing.
    guard let line = lines.header, !line.contains("\":") else { return nil }
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

  /// A file that belongs in another folder.
  func misplaced(_ kind: RecordKind) -> FileFormat {
    let folder = (kind.folder ?? file.folder).rawValue
    let hint =
      file.folder == .deliveries
      ? ", or, if they are deliveries with your own column names, set delivery_columns" : ""
    return .unusable(
      RecordProblem(
        .wrongFolder,
        "No record of this file fits \(file.folder.rawValue)/; they belong in \(folder)/. Move the "
          + "file\(hint)."))
  }
}

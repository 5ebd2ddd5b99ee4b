extension RecordParser {
  /// Encodes the delivery whose texts are in `delivery`; the row is then in `row`.
  func encodeDelivery(_ place: RowPlace, in file: FileContext) throws(RecordProblem) {
    row.begin(columns: 18)
    row.integer(place.fileID)
    row.bigint(place.line)
    let hashOffset = row.uuidLater()
    let content = row.count
    // The company's own, not Apple's: it may hold spaces.
    row.text(try name(.deliveryID, file))
    row.text(try identifier(.transactionID, file))
    row.text(try name(.productID, file))
    row.text(try status(file))
    row.timestamp(try occurredAt(file))
    row.text(Environment.named(try identifier(.environment, file)))
    row.text(try identifier(.originalTransactionID, file))
    row.text(try webOrderLineItemID(file))
    row.text(try name(.accountID, file))
    row.text(try name(.deviceID, file))
    row.text(try text(.server, file))
    row.text(try text(.region, file))
    row.text(try text(.appVersion, file))
    row.text(try text(.error, file))
    row.bigint(try bytes(file))
    row.fill(at: hashOffset, row.hash(from: content))
  }

  @inline(__always)
  private func present(_ column: DeliveryColumn, _ file: FileContext) throws(RecordProblem)
    -> Bytes?
  {
    let text = delivery[column]
    if text == nil, column.isRequired { throw .missing(file.name(of: column)) }
    return text
  }

  @inline(__always)
  private func identifier(
    _ column: DeliveryColumn, _ file: FileContext
  ) throws(RecordProblem) -> Bytes? {
    guard let text = try present(column, file) else { return nil }
    guard FieldText.isIdentifier(text) else { throw .badIdentifier(file.name(of: column)) }
    return text
  }

  @inline(__always)
  private func name(_ column: DeliveryColumn, _ file: FileContext) throws(RecordProblem) -> Bytes? {
    guard let text = try present(column, file) else { return nil }
    guard FieldText.isProductIdentifier(text) else { throw .badName(file.name(of: column)) }
    return text
  }

  @inline(__always)
  private func text(_ column: DeliveryColumn, _ file: FileContext) throws(RecordProblem) -> Bytes? {
    guard let text = delivery[column] else { return nil }
    guard FieldText.isText(text) else {
      throw RecordProblem(
        .badText,
        "\(file.name(of: column)) is longer than \(FieldText.textLimit) bytes or holds a NUL "
          + "character, which PostgreSQL cannot keep; correct it at the source.")
    }
    return text
  }

  private func status(_ file: FileContext) throws(RecordProblem) -> Bytes? {
    guard let text = try present(.status, file) else { return nil }
    guard text.equals("delivered") || text.equals("failed") || text.equals("pending") else {
      throw RecordProblem(
        .badStatus,
        "\(file.name(of: .status)) is none of delivered, failed and pending; write one of them.")
    }
    return text
  }

  private func occurredAt(_ file: FileContext) throws(RecordProblem) -> Int64? {
    guard let text = try present(.occurredAt, file) else { return nil }
    guard let instant = Instant.parseRFC3339(text) else {
      throw .badDate(file.name(of: .occurredAt))
    }
    return instant
  }

  private func webOrderLineItemID(_ file: FileContext) throws(RecordProblem) -> Bytes? {
    guard let text = try identifier(.webOrderLineItemID, file), !text.equals("0") else {
      return nil
    }
    return text
  }

  private func bytes(_ file: FileContext) throws(RecordProblem) -> Int64? {
    guard let text = delivery[.bytes] else { return nil }
    guard let number = FieldText.wholeNumber(text), number >= 0 else {
      throw .badNumber(file.name(of: .bytes))
    }
    return number
  }
}

extension RecordProblem {
  static func badNumber(_ name: String) -> RecordProblem {
    RecordProblem(
      .badNumber, "\(name) is no whole number of at least zero that fits 63 bits; correct it.")
  }
}

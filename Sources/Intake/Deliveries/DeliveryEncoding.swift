extension RecordParser {
  /// Encodes the delivery whose texts are in `columns`; the row is then in `row`.
  func encodeDelivery(_ place: RowPlace, in file: FileContext) throws(RecordProblem) {
    let delivery = ColumnReader<DeliveryColumn>(texts: columns, file: file)
    try encodeRow(place, columns: StagedRows.deliveryColumns) { () throws(RecordProblem) in
      // The identifier is the company's own, not Apple's, so it may contain spaces.
      row.text(try delivery.name(.deliveryID))
      row.identifier(try delivery.identifier(.transactionID))
      row.text(try delivery.name(.productID))
      row.text(try delivery.status())
      row.timestamp(try delivery.instant(.occurredAt))
      row.text(Environment.named(try delivery.identifier(.environment)))
      row.identifier(try delivery.identifier(.originalTransactionID))
      row.identifier(FieldText.lineItem(try delivery.identifier(.webOrderLineItemID)))
      row.text(person(try delivery.name(.accountID), in: file, personTexts))
      row.text(person(try delivery.name(.deviceID), in: file, personTexts))
      row.text(try delivery.label(.server))
      row.text(try delivery.label(.region))
      row.text(try delivery.label(.appVersion))
      row.text(try delivery.text(.error))
      row.bigint(try delivery.bytes())
      row.integer(try delivery.revision())
    }
  }
}

extension ColumnReader<DeliveryColumn> {
  fileprivate func status() throws(RecordProblem) -> Bytes? {
    guard let text = try present(.status) else { return nil }
    guard text.equals("delivered") || text.equals("failed") || text.equals("pending") else {
      throw RecordProblem(
        .badStatus,
        "\(Column.status.name(in: file)) is not one of delivered, failed and pending; write one of "
          + "them.")
    }
    return text
  }

  fileprivate func bytes() throws(RecordProblem) -> Int64? {
    guard let text = try present(.bytes) else { return nil }
    guard let number = FieldText.wholeNumber(text), number >= 0 else {
      throw .badNumber(Column.bytes.name(in: file))
    }
    return number
  }

  /// The revision; nil if it is 0 or the record has none.
  fileprivate func revision() throws(RecordProblem) -> Int32? {
    guard let text = try present(.revision) else { return nil }
    guard let number = FieldText.wholeNumber(text).flatMap({ Int32(exactly: $0) }), number >= 0
    else { throw .badNumber(Column.revision.name(in: file), bits: 31) }
    return number == 0 ? nil : number
  }
}

extension RecordProblem {
  static func badNumber(_ name: String, bits: Int = 63) -> RecordProblem {
    RecordProblem(
      .badNumber,
      "\(name) is not a whole number of at least zero that fits \(bits) bits; correct it.")
  }
}

extension StagedRows {
  /// The columns of `staging_delivery`, in the order in which a row's values are written.
  package static let deliveryColumns = [
    "file_id", "line", "content_hash", "delivery_id", "transaction_number", "transaction_id",
    "product_id", "status", "occurred_at", "environment", "original_number",
    "original_transaction_id", "line_item_number", "web_order_line_item_id", "account_id",
    "device_id", "server", "region", "app_version", "error", "bytes", "revision",
  ]
}

/// The form of a record with named columns.
enum RecordForm: Sendable {
  case delivery, queueEntry, invalidProduct, acknowledgement

  /// The kind under which such a record is rejected.
  var kind: RejectionKind {
    switch self {
    case .delivery: .delivery
    case .queueEntry, .invalidProduct: .client
    case .acknowledgement: .acknowledgement
    }
  }

  /// Finds the form of the rows below a header from the folder and the columns.
  init(ofColumns names: [String], in file: FileContext) {
    guard file.folder == .client else {
      self = file.folder == .acknowledgements ? .acknowledgement : .delivery
      return
    }
    // The advice for a header in capitals depends on the form that is meant.
    func has(_ column: String) -> Bool {
      names.contains { $0.utf8.isSpelling(of: column.utf8) }
    }
    let isReport =
      has(InvalidProductColumn.reportedAt.rawValue) && !has(QueueColumn.state.rawValue)
      && !has(QueueColumn.transactionDate.rawValue)
    self = isReport ? .invalidProduct : .queueEntry
  }

  /// Whether a record of this form can have a column with this name.
  func hasColumn(_ name: String, in file: FileContext) -> Bool {
    let names =
      switch self {
      case .delivery: DeliveryColumn.names(in: file)
      case .queueEntry: QueueColumn.names(in: file)
      case .invalidProduct: InvalidProductColumn.names(in: file)
      case .acknowledgement: AcknowledgementColumn.names(in: file)
      }
    return Array(name.utf8).withUnsafeBufferPointer { names.meaning(of: $0) } != nil
  }
}

/// What a record of named columns is about.
enum RecordForm: Sendable {
  case delivery, queueEntry, invalidProduct, acknowledgement

  /// What a rejection of such a record is called.
  var kind: RejectionKind {
    switch self {
    case .delivery: .delivery
    case .queueEntry, .invalidProduct: .client
    case .acknowledgement: .acknowledgement
    }
  }

  /// What the rows below a header are: the columns say it.
  init(ofColumns names: [String], in file: FileContext) {
    guard file.folder == .client else {
      self = file.folder == .acknowledgements ? .acknowledgement : .delivery
      return
    }
    let isReport =
      names.contains(InvalidProductColumn.reportedAt.rawValue)
      && !names.contains(QueueColumn.state.rawValue)
      && !names.contains(QueueColumn.transactionDate.rawValue)
    self = isReport ? .invalidProduct : .queueEntry
  }
}

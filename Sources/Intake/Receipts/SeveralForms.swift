/// Several forms of evidence in one object.
///
/// A server can keep a request beside Apple's answer, or add one to the answer.
extension RecordParser {
  /// Parses one of several forms.
  ///
  /// The first problem is kept, so that the other forms are parsed too.
  func attempt(
    _ problem: inout RecordProblem?, _ parse: () throws(RecordProblem) -> Void
  ) {
    do throws(RecordProblem) { try parse() } catch { problem = problem ?? error }
  }

  /// Turns the answer into rows that a server keeps in the same object as another form.
  func parseAnswerBeside(
    _ root: JSONValue, _ handed: HandedIn, _ problem: inout RecordProblem?,
    _ rows: inout StagedRows
  ) {
    let lists = envelope[.latestReceiptInfo] ?? envelope[.latestExpiredReceiptInfo]
    let hasLists = lists.map { $0.isArray || $0.isObject } ?? false
    let enclosed = envelope[.latestReceipt] ?? envelope[.latestExpiredReceipt]
    let tellsMore = hasLists || enclosed?.string?.isEmpty == false
    let isNotification = envelope[.unifiedReceipt]?.isObject == true
    if isNotification {
      attempt(&problem) { () throws(RecordProblem) in
        try parseFirstNotification(root, tellsMore, handed, &rows)
      }
      guard envelope[.receipt]?.isObject == true else { return }
    }
    attempt(&problem) { () throws(RecordProblem) in
      try parseOwnAnswer(root, handed, tellsMore, isNotification, &rows)
    }
  }

  private func parseOwnAnswer(
    _ root: JSONValue, _ handed: HandedIn, _ tellsMore: Bool, _ isNotification: Bool,
    _ rows: inout StagedRows
  ) throws(RecordProblem) {
    let isAnswer = envelope[.receipt]?.isObject == true || tellsMore
    let hasBareReceipt = envelope[.verifyReceiptResponse] == nil && envelope[.receipt] != nil
    if envelope[.status] != nil, isAnswer || hasBareReceipt {
      return try parseAnswer(root, handed, &rows)
    }
    if let value = envelope[.receipt], value.isObject {
      receipt.read(value)
      // Another object than Apple's can have this name.
      if receipt[.inApp] != nil || receipt[.transactionID] != nil {
        throw .notAReceipt("the answer beside it has no status")
      }
      hasUnreadMembers = true
    }
    if tellsMore, !isNotification {
      try parseFirstNotification(root, true, handed, &rows)
    }
  }

  /// Turns the receipts and signed texts into rows that a server added to an answer in the record.
  ///
  /// Afterwards `envelope` does not hold the record any more.
  func parseFormsInside(
    _ handed: HandedIn, _ problem: inout RecordProblem?, _ rows: inout StagedRows
  ) {
    let answers = [envelope[.verifyReceiptResponse], envelope[.unifiedReceipt]].compactMap { $0 }
    for answer in answers where answer.isObject {
      envelope.read(answer)
      guard envelope.hasAny(ofFirst: DocumentField.formCount) else { continue }
      if hasUnreadData { hasUnreadMembers = true }
      attempt(&problem) { () throws(RecordProblem) in
        try forgettingTexts { () throws(RecordProblem) in
          var inner = handed
          inner.beside = try readEnvelope(
            from: envelope, in: handed.file, around: handed.beside)
          var found: RecordProblem?
          _ = parseReceiptTexts(inner, &found, &rows)
          _ = parseSignedTexts(of: answer, inner, &found, &rows)
          if let found { throw found }
        }
      }
    }
  }
}

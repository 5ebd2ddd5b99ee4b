/// The receipts that an answer of `verifyReceipt` or a notification of version 1 encloses.
///
/// They are in `latest_receipt` and, for an expired subscription, in `latest_expired_receipt`.
/// Apple signed them, but not the answer around them. So each of them is a document by itself.
extension RecordParser {
  /// Turns an answer, and each receipt that it encloses, into rows.
  ///
  /// - Throws: The reason why the answer cannot be used. The enclosed receipts are used even then,
  ///   unless Apple's status is an error.
  func parseAnswer(
    _ answer: JSONValue, isNotification: Bool = false, _ handed: HandedIn,
    _ rows: inout StagedRows
  ) throws(RecordProblem) {
    try forgettingTexts { () throws(RecordProblem) in
      response.read(answer)
      if response.hasOthers { hasUnreadMembers = true }
      try response.requireOneName(of: DocumentField.ofDocument) { .notAReceipt($0) }
      var inner = handed
      inner.beside = try readEnvelope(from: response, in: handed.file, around: handed.beside)
      try parseReadAnswer(answer, isNotification, inner, &rows)
    }
  }

  /// Turns the answer in `response`, and each receipt that it encloses, into rows.
  private func parseReadAnswer(
    _ answer: JSONValue, _ isNotification: Bool, _ handed: HandedIn, _ rows: inout StagedRows
  ) throws(RecordProblem) {
    let enclosed = enclosedReceipts(isNotification)
    var problem: RecordProblem?
    if enclosed.isEmpty || saysMore(isNotification) || response.hasOtherSpellings {
      do throws(RecordProblem) {
        let document = try readAnswer(
          answer, beside: handed.beside, isNotification: isNotification, in: handed.file)
        append(document, handed, &rows)
        guard document.isUsable else { return }
      } catch {
        guard error.reason != .status else { throw error }
        problem = error
      }
    }
    let before = rows.countsInBlock.documents
    for (value, field) in enclosed { parseEnclosed(value, handed.inside(field.name), &rows) }
    guard let problem else { return }
    let after = rows.countsInBlock.documents
    let isAnyUsed = after.read - before.read > after.rejected - before.rejected
    guard problem.reason == .unsigned, isAnyUsed else { throw problem }
    rows.countsInBlock.leavesOutUnsigned = true
  }

  /// The enclosed receipts of the answer in `response` and of the notification in `envelope`.
  ///
  /// A receipt that occurs twice is returned once.
  private func enclosedReceipts(
    _ isNotification: Bool
  ) -> [(value: JSONValue, field: DocumentField)] {
    var found: [(value: JSONValue, field: DocumentField)] = []
    func take(_ field: DocumentField, of members: FieldSlots<DocumentField>) {
      guard let value = members[field], !isBlank(value) else { return }
      let isThere = found.contains { other, _ in
        guard let one = other.string, let two = value.string else {
          return other.index == value.index
        }
        return one.elementsEqual(two)
      }
      if !isThere { found.append((value, field)) }
    }
    for members in isNotification ? [response, envelope] : [response] {
      take(.latestReceipt, of: members)
      take(.latestExpiredReceipt, of: members)
    }
    return found
  }

  /// Whether the answer in `response`, or the notification in `envelope`, contains more than the
  /// receipts that it encloses.
  private func saysMore(_ isNotification: Bool) -> Bool {
    if isNotification {
      let refund = [envelope[.cancellationDate], envelope[.cancellationDateMilliseconds]]
      if refund.contains(where: { $0 != nil }) { return true }
    }
    if let status = response[.status] {
      let number = status.wholeNumber
      if number != 0, number != 21006 { return true }
    }
    for field in [DocumentField.receipt, .latestReceiptInfo, .latestExpiredReceiptInfo] {
      for value in [response[field], isNotification ? envelope[field] : nil] {
        if let value, !isBlank(value) { return true }
      }
    }
    return false
  }

  /// Whether a value is an empty text, list or object.
  private func isBlank(_ value: JSONValue) -> Bool {
    if let text = value.string { return text.trimmed.isEmpty }
    return (value.isObject || value.isArray) && value.contents.isEmpty
  }

  private func parseEnclosed(
    _ value: JSONValue, _ handed: HandedIn, _ rows: inout StagedRows
  ) {
    if let text = value.string {
      return parseEvidence(text, handed.showing(text), &rows)
    }
    JSONText(value).bytes.withUnsafeBufferPointer {
      reject(
        .malformed(
          "The receipt in an answer is not a text; keep Apple's answer as it came."),
        handed.showing($0), &rows)
    }
  }
}

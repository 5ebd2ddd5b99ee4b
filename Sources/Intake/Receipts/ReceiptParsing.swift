extension RecordParser {
  /// Turns one record of the folder `receipts` into rows: JSON, or evidence alone in its line.
  func parseReceipt(
    _ record: RawRecord, in file: FileContext, into rows: inout StagedRows
  ) {
    parseDocument(HandedIn(record, in: file), &rows)
  }

  /// Turns a document into rows: JSON, or evidence alone in its line.
  ///
  /// A document in no documented form is searched for evidence, and so are the members that a
  /// documented form does not have.
  func parseDocument(
    _ handed: HandedIn, _ rows: inout StagedRows
  ) {
    let record = handed.record
    // Documents that a search found are parts of one record.
    if handed.place == nil { reversedTexts = [] }
    if EvidenceShape.isText(record.bytes) {
      return parseEvidence(record.bytes, handed, &rows)
    }
    let documents = rows.countsInBlock.documents.read
    hasUnreadMembers = false
    do throws(RecordProblem) {
      let root = try json.parse(record.bytes)
      guard root.isObject else { throw .notAReceipt("it is not an object") }
      documentTexts.begin()
      personTexts.begin(reserving: Self.roomForPersons)
      envelope.read(root)
      isDataUnread = hasUnreadData
      hasUnreadMembers = envelope.hasOthers || isDataUnread || hasUnreadReceipt
      try envelope.requireOneName(of: fieldsOfEnvelope) { .notAReceipt($0) }
      if seeksRawReceipts {
        try parseRawReceipts(handed, &rows)
      } else if envelope.hasAny(ofFirst: DocumentField.formCount)
        || envelope[.verifyReceiptResponse] != nil
      {
        try parseForms(of: root, handed, &rows)
      } else {
        try parseAnswer(in: root, handed, &rows)
      }
      parseUnreadMembers(handed, &rows)
    } catch {
      if error.reason == .malformedJSON, EvidenceShape.isPropertyList(record.bytes) {
        parseEvidence(record.bytes, handed, &rows)
      } else if rows.countsInBlock.documents.read > documents || !isOfOtherShape(error) {
        reject(record.explained(error), handed, &rows)
        parseUnreadMembers(handed, &rows)
      } else {
        parseOtherShape(record.bytes, orReject: record.explained(error), handed, &rows)
      }
    }
    json.trim()
  }

  /// Turns an answer of `verifyReceipt` without an envelope into rows.
  func parseAnswer(
    in root: JSONValue, _ handed: HandedIn, _ rows: inout StagedRows
  ) throws(RecordProblem) {
    if envelope[.receipt] == nil, envelope[.latestReceiptInfo] == nil, isStatusZero,
      !AnswerMembers.isAnswer(root)
    {
      throw .notAReceipt("its status is 0, and it has no other member of a verifyReceipt answer")
    }
    var handed = handed
    handed.beside = try readOutermostEnvelope(handed)
    try parseAnswer(root, handed, &rows)
  }

  /// The fields that are read from the record in `envelope`.
  private var fieldsOfEnvelope: [DocumentField] {
    let isNotification = envelope[.notificationType] != nil || envelope[.unifiedReceipt] != nil
    return isNotification ? DocumentField.ofNotification : DocumentField.ofDocument
  }

  private var isStatusZero: Bool {
    envelope[.status]?.wholeNumber == 0
  }

  /// Turns a document with lists of transactions into rows.
  func append(
    _ document: ReceiptDocument, _ handed: HandedIn, _ rows: inout StagedRows
  ) {
    seen.begin()
    for list in document.lists {
      if list.value.isArray {
        list.value.forEachElement { entry in
          parse(entry, list, document, handed, &rows)
        }
      } else {
        parse(list.value, list, document, handed, &rows)
      }
    }
    if let cancellation = document.cancellation, !cancellation.isPlaced {
      rows.countsInBlock.transactions.read += 1
      rejectTransaction(
        .unplacedCancellation, shown: handed.record.bytes, handed, &rows)
    }
    let hash = ContentHash(of: UnsafeRawBufferPointer(handed.record.bytes))
    finishDocument(hash, status: document.status, handed, &rows)
  }

  private func parse(
    _ entry: JSONValue, _ list: ReceiptDocument.List, _ document: ReceiptDocument,
    _ handed: HandedIn, _ rows: inout StagedRows
  ) {
    rows.countsInBlock.transactions.read += 1
    do throws(RecordProblem) {
      append(try read(entry, list, document), handed, &rows)
    } catch {
      let text = JSONText(entry)
      text.bytes.withUnsafeBufferPointer {
        rejectTransaction(error, shown: $0, handed, &rows)
      }
    }
  }
}

extension RawRecord {
  /// The problem of a JSON record, or that the record is cut off.
  func explained(_ problem: RecordProblem) -> RecordProblem {
    guard problem.reason == .malformedJSON || problem.reason == .invalidUTF8 else { return problem }
    if isDocument ? JSONBrackets.areOpen(atEndOf: bytes) : isLast { return .cutOff }
    return toldByNUL(placed(problem))
  }

  /// The problem with its line, if the record is JSON of several lines.
  private func placed(_ problem: RecordProblem) -> RecordProblem {
    guard problem.reason == .malformedJSON,
      bytes.first == Byte.openBrace || bytes.first == Byte.openBracket,
      bytes.position(of: Byte.lineFeed) != nil,
      case .broken(let place) = JSONExtent.of(bytes, from: 0)
    else { return problem }
    let line = line + Int64(bytes.part(0..<place).lineFeeds)
    return RecordProblem(problem.reason, "Near line \(line): \(problem.detail)")
  }

  /// The problem of a record; for a malformed record with a NUL byte, that byte is the problem.
  func toldByNUL(_ problem: RecordProblem) -> RecordProblem {
    guard problem.reason == .malformedJSON || problem.reason == .malformed,
      bytes.position(of: 0) != nil
    else { return problem }
    return .noText
  }
}

extension RecordProblem {
  /// A record in which the file ends.
  static let cutOff = RecordProblem(
    .truncated,
    "The file ends in the middle of this record; it is read again when the file has grown.")

  /// An array of documents without its closing bracket.
  static let openArray = RecordProblem(
    .truncated,
    "The file ends before the array of documents ends; it is read again when the file has grown.")
}

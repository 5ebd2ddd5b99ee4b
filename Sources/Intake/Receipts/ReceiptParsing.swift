extension RecordParser {
  /// Turns one record of a receipts' folder into rows: JSON, or evidence alone in its line.
  func parseReceipt(
    _ record: RawRecord, in file: FileContext, into rows: inout StagedRows,
    _ counts: inout FileCounts
  ) {
    let handed = HandedIn(record, in: file)
    if EvidenceShape.isText(record.bytes) {
      return parseEvidence(record.bytes, handed, &rows, &counts)
    }
    do throws(RecordProblem) {
      let root = try json.parse(record.bytes)
      guard root.isObject else { throw .notAReceipt("it is no object") }
      documentTexts.begin()
      envelope.read(root)
      if seeksRawReceipts {
        try parseRawReceipts(handed, &rows, &counts)
      } else if envelope.hasAny(ofFirst: DocumentField.formCount) {
        try parseForms(of: root, handed, &rows, &counts)
      } else {
        try parseAnswer(in: root, handed, &rows, &counts)
      }
    } catch {
      if error.reason == .malformedJSON, EvidenceShape.isPropertyList(record.bytes) {
        parseEvidence(record.bytes, handed, &rows, &counts)
      } else {
        reject(record.explained(error), handed, &rows, &counts)
      }
    }
    json.trim()
  }

  /// Turns an answer of `verifyReceipt`, bare or in its envelope, into rows.
  func parseAnswer(
    in root: JSONValue, _ handed: HandedIn, _ rows: inout StagedRows, _ counts: inout FileCounts
  ) throws(RecordProblem) {
    var handed = handed
    var answer = root
    if let wrapped = envelope[.verifyReceiptResponse] {
      guard wrapped.isObject else { throw .notAReceipt("verifyReceiptResponse is no object") }
      answer = wrapped
      handed.beside = try readEnvelope(in: handed.file)
    }
    let document = try readAnswer(answer, beside: handed.beside, in: handed.file)
    append(document, handed, &rows, &counts)
  }

  /// Turns a document with lists of transactions into rows.
  func append(
    _ document: ReceiptDocument, _ handed: HandedIn, _ rows: inout StagedRows,
    _ counts: inout FileCounts
  ) {
    if document.isWrongEnvironment { counts.wrongEnvironment += 1 }
    let before = counts
    seen.begin()
    for list in document.lists {
      if list.value.isArray {
        list.value.forEachElement { entry in
          parse(entry, list, document, handed, &rows, &counts)
        }
      } else {
        parse(list.value, list, document, handed, &rows, &counts)
      }
    }
    let hash = StatementHash(of: UnsafeRawBufferPointer(handed.record.bytes))
    finishDocument(hash, status: document.status, handed, since: before, &rows, &counts)
  }

  private func parse(
    _ entry: JSONValue, _ list: ReceiptDocument.List, _ document: ReceiptDocument,
    _ handed: HandedIn, _ rows: inout StagedRows, _ counts: inout FileCounts
  ) {
    counts.transactions.read += 1
    do throws(RecordProblem) {
      append(try read(entry, list, document), handed, &rows, &counts)
    } catch {
      let text = JSONText(entry)
      text.bytes.withUnsafeBufferPointer {
        rejectTransaction(error, shown: $0, handed, &rows, &counts)
      }
    }
  }
}

extension RawRecord {
  /// What is wrong with a JSON record, told from what is only not yet complete.
  func explained(_ problem: RecordProblem) -> RecordProblem {
    guard problem.reason == .malformedJSON || problem.reason == .invalidUTF8 else { return problem }
    guard isDocument ? JSONBalance.isOpen(bytes) : isLast else { return problem }
    return .cutOff
  }
}

extension RecordProblem {
  /// A record that the file ends in.
  static let cutOff = RecordProblem(
    .truncated,
    "The file ends in the middle of this record; it is read again when the file has grown.")
}

import CopyFormat

extension RecordParser {
  /// Turns one receipt document into rows.
  func parseReceipt(
    _ record: RawRecord, in file: FileContext, into rows: inout StagedRows,
    _ counts: inout FileCounts
  ) {
    do throws(RecordProblem) {
      let root = try json.parse(record.bytes)
      let document = try readDocument(root, in: file)
      counts.documents.read += 1
      if document.isWrongEnvironment { counts.wrongEnvironment += 1 }
      append(document, record, in: file, &rows, &counts)
    } catch {
      counts.count(rejected: .receipt)
      let rejected = RejectedRecord(
        kind: .receipt, problem: record.explained(error), fileID: file.fileID, line: record.line)
      rejected.append(
        record.bytes, limit: file.settings.rejectionLimitBytes, to: &rows.rejections)
    }
    json.trim()
  }

  private func append(
    _ document: ReceiptDocument, _ record: RawRecord, in file: FileContext,
    _ rows: inout StagedRows, _ counts: inout FileCounts
  ) {
    let before = counts
    seen.begin()
    for list in document.lists {
      if list.value.isArray {
        list.value.forEachElement { entry in
          parse(entry, list, document, record, in: file, &rows, &counts)
        }
      } else {
        parse(list.value, list, document, record, in: file, &rows, &counts)
      }
    }
    let hash = StatementHash(of: UnsafeRawBufferPointer(record.bytes))
    rows.documents.beginRow(columns: 6)
    rows.documents.integer(file.fileID)
    rows.documents.bigint(record.line)
    rows.documents.uuid(hash.high, hash.low)
    rows.documents.integer(document.status)
    rows.documents.integer(Int32(counts.transactions.read - before.transactions.read))
    rows.documents.integer(Int32(counts.repeats - before.repeats))
  }

  private func parse(
    _ entry: JSONValue, _ list: ReceiptDocument.List, _ document: ReceiptDocument,
    _ record: RawRecord, in file: FileContext, _ rows: inout StagedRows,
    _ counts: inout FileCounts
  ) {
    counts.transactions.read += 1
    do throws(RecordProblem) {
      let place = RowPlace(fileID: file.fileID, line: record.line)
      let statement = encode(try read(entry, list, document), place)
      let offset = rows.evidence.bytes.count + statement.evidenceOffset
      switch seen.note(statement.hash, evidenceAt: statement.evidenceAt, offset: offset) {
      case .new: rows.evidence.append(encodedRow: row.bytes)
      case .repeated: counts.repeats += 1
      case .repeatedOlder(let earlier):
        counts.repeats += 1
        rows.evidence.replaceTimestamp(at: earlier, with: statement.evidenceAt)
      }
    } catch {
      counts.transactions.rejected += 1
      let rejected = RejectedRecord(
        kind: .transaction, problem: error, fileID: file.fileID, line: record.line)
      let text = JSONText(entry)
      text.bytes.withUnsafeBufferPointer {
        rejected.append($0, limit: file.settings.rejectionLimitBytes, to: &rows.rejections)
      }
    }
  }
}

extension RawRecord {
  /// What is wrong with a JSON record, told from what is only not yet complete.
  func explained(_ problem: RecordProblem) -> RecordProblem {
    guard problem.reason == .malformedJSON || problem.reason == .invalidUTF8 else { return problem }
    guard isDocument ? JSONBalance.isOpen(bytes) : isLast else { return problem }
    return RecordProblem(
      .truncated,
      "The file ends in the middle of this record; it is read again when the file has grown.")
  }
}

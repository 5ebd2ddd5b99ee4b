import CopyFormat

/// What whoever kept a document wrote beside it.
struct EvidenceEnvelope {
  /// When somebody got the document.
  var receivedAt: Int64?
  var accountID: Bytes?
  var deviceID: Bytes?
  var storefront: Bytes?
}

/// A document on its way into rows: where it stands, what stands beside it, and how it is shown.
struct HandedIn {
  let record: RawRecord
  let file: FileContext
  var beside = EvidenceEnvelope()
  /// What a rejection shows: the record, or of a list's record the document itself.
  var shown: Bytes

  init(_ record: RawRecord, in file: FileContext) {
    self.record = record
    self.file = file
    shown = record.bytes
  }

  /// The same, with only a part of the record to be shown.
  func showing(_ part: Bytes) -> HandedIn {
    var handed = self
    handed.shown = part
    return handed
  }
}

extension RecordParser {
  /// Reads the members that stand beside a document; `envelope` must hold the record.
  func readEnvelope(in file: FileContext) throws(RecordProblem) -> EvidenceEnvelope {
    personTexts.begin()
    return EvidenceEnvelope(
      receivedAt: try JSONField.instant(
        milliseconds: nil, text: envelope[.receivedAt], "received_at"),
      accountID: person(
        try JSONField.name(envelope[.accountID], "account_id", documentTexts), in: file, personTexts
      ),
      deviceID: person(
        try JSONField.name(envelope[.deviceID], "device_id", documentTexts), in: file, personTexts),
      storefront: try JSONField.identifier(envelope[.storefront], "storefront", documentTexts))
  }

  /// Rejects a whole document.
  func reject(
    _ problem: RecordProblem, _ handed: HandedIn, _ rows: inout StagedRows,
    _ counts: inout FileCounts
  ) {
    counts.count(rejected: .receipt)
    let rejected = RejectedRecord(
      kind: .receipt, problem: problem, fileID: handed.file.fileID, line: handed.record.line)
    rejected.append(
      handed.shown, handed.file.settings, to: &rows.rejections)
  }

  /// Rejects one transaction of a document that was counted as read.
  func rejectTransaction(
    _ problem: RecordProblem, shown: Bytes, _ handed: HandedIn, _ rows: inout StagedRows,
    _ counts: inout FileCounts
  ) {
    counts.transactions.rejected += 1
    let rejected = RejectedRecord(
      kind: .transaction, problem: problem, fileID: handed.file.fileID, line: handed.record.line)
    rejected.append(shown, handed.file.settings, to: &rows.rejections)
  }

  /// Puts what is said of a transaction into its row, unless its document has said so already.
  ///
  /// An answer can say the same in two lists of different age. The oldest counts, and of a refund the
  /// youngest as well: only what Apple signed later than that takes it back.
  @inline(__always)
  func append(
    _ said: TransactionStatement, _ handed: HandedIn, _ rows: inout StagedRows,
    _ counts: inout FileCounts
  ) {
    let statement = encode(
      said, RowPlace(fileID: handed.file.fileID, line: handed.record.line))
    let offset = rows.evidence.bytes.count + statement.evidenceOffset
    let outcome = seen.note(
      statement.hash, evidenceAt: statement.evidenceAt, offset: offset,
      doesYoungestCount: said.cancelledAt != nil || said.isSignedTransaction)
    switch outcome {
    case .new: rows.evidence.append(encodedRow: row.bytes)
    case .repeated: counts.repeats += 1
    case .repeatedOlder(let earlier):
      counts.repeats += 1
      rows.evidence.replaceTimestamp(at: earlier, with: statement.evidenceAt)
    }
  }

  /// Puts a document into its row, when all its transactions are counted.
  func finishDocument(
    _ hash: StatementHash, status: Int32 = 0, _ handed: HandedIn, since before: FileCounts,
    _ rows: inout StagedRows, _ counts: inout FileCounts
  ) {
    counts.documents.read += 1
    rows.documents.beginRow(columns: 6)
    rows.documents.integer(handed.file.fileID)
    rows.documents.bigint(handed.record.line)
    rows.documents.uuid(hash.high, hash.low)
    rows.documents.integer(status)
    rows.documents.integer(Int32(counts.transactions.read - before.transactions.read))
    rows.documents.integer(Int32(counts.repeats - before.repeats))
  }
}

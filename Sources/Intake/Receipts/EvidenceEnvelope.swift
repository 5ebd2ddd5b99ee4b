import CopyFormat

/// The members that the server that kept a document wrote beside it.
struct EvidenceEnvelope {
  /// When the document was received.
  var receivedAt: Int64?
  var accountID: Bytes?
  var deviceID: Bytes?
  var storefront: Bytes?

  /// The same envelope, with missing members taken from the outer envelope.
  func filled(from outer: EvidenceEnvelope) -> EvidenceEnvelope {
    EvidenceEnvelope(
      receivedAt: receivedAt ?? outer.receivedAt, accountID: accountID ?? outer.accountID,
      deviceID: deviceID ?? outer.deviceID, storefront: storefront ?? outer.storefront)
  }
}

/// A document that is turned into rows: its place, the members beside it, and the bytes to show.
struct HandedIn {
  let record: RawRecord
  let file: FileContext
  var beside = EvidenceEnvelope()
  /// The JSON pointer to the document that the search found in the record; nil if it is the record.
  var place: String?
  /// The same, as evidence and rejections keep it.
  ///
  /// Also nil if it is empty, and if names are hashed or somebody was forgotten: the name of a
  /// member may be the name of a person.
  var pointer: Bytes?
  /// The part of the document that is read, as a rejection names it: `latest_receipt`, or an entry of
  /// a list of Apple; nil if it is the document.
  private(set) var part: String?
  /// Whether it is a row of a table, whose columns give the members beside evidence.
  var isRow = false
  /// The bytes that a rejection shows: the record, or the document itself if it is one of a list.
  var shown: Bytes

  init(_ record: RawRecord, in file: FileContext) {
    self.record = record
    self.file = file
    shown = record.bytes
  }

  /// The same document, with only a part of the record to show.
  func showing(_ part: Bytes) -> HandedIn {
    var handed = self
    handed.shown = part
    return handed
  }

  /// A part of the document, with the name of the part.
  func inside(_ part: String) -> HandedIn {
    var handed = self
    handed.part = part
    return handed
  }

  /// The problem of the document or of its part, with its place.
  func placing(_ problem: RecordProblem) -> RecordProblem {
    let place =
      switch (pointer?.string, part) {
      case (nil, nil): ""
      case (let pointer?, nil): "At \(pointer): "
      case (nil, let part?): "In \(part): "
      case (let pointer?, let part?): "At \(pointer), in \(part): "
      }
    guard !place.isEmpty else { return problem }
    return RecordProblem(problem.reason, place + problem.detail, status: problem.status)
  }
}

extension RecordParser {
  /// The room for the names of an account and a device in each of four objects, in bytes.
  ///
  /// No more objects with such members are in each other: a record, an answer in it, a group of
  /// subscriptions in the answer, and an entry of the group.
  static let roomForPersons = 4 * 2 * 4 * FieldText.productLimit

  /// Calls a closure, and then forgets the texts that it has kept of the members beside evidence.
  func forgettingTexts(
    _ body: () throws(RecordProblem) -> Void
  ) throws(RecordProblem) {
    let (persons, texts) = (personTexts.mark, documentTexts.mark)
    defer {
      personTexts.release(to: persons)
      documentTexts.release(to: texts)
    }
    try body()
  }

  /// Reads the members beside the evidence of the whole document, which is in `envelope`.
  ///
  /// If one of them cannot be read, the document is rejected as a whole: the member is beside the
  /// evidence in other members too.
  func readOutermostEnvelope(
    _ handed: HandedIn
  ) throws(RecordProblem) -> EvidenceEnvelope {
    do throws(RecordProblem) {
      return try readEnvelope(from: envelope, in: handed.file, around: handed.beside)
    } catch {
      hasUnreadMembers = false
      throw error
    }
  }

  /// Reads the members beside a document, from slots that hold the object; the innermost object
  /// counts.
  ///
  /// - Parameters:
  ///   - outer: The outer envelope, for members that are missing.
  ///   - name: What a problem calls a member.
  func readEnvelope(
    from members: FieldSlots<DocumentField>, in file: FileContext,
    around outer: EvidenceEnvelope, naming name: (BesideMember) -> String = { $0.rawValue }
  ) throws(RecordProblem) -> EvidenceEnvelope {
    try members.requireSpelling(of: DocumentField.ofEnvelope)
    guard members.hasAny(of: .receivedAt, .accountID, .deviceID, .storefront) else { return outer }
    let beside = EvidenceEnvelope(
      receivedAt: try JSONField.instant(
        milliseconds: nil, text: members[.receivedAt], name(.receivedAt)),
      accountID: person(
        try JSONField.name(members[.accountID], name(.accountID), documentTexts), in: file,
        personTexts),
      deviceID: person(
        try JSONField.name(members[.deviceID], name(.deviceID), documentTexts), in: file,
        personTexts),
      storefront: try JSONField.identifier(
        members[.storefront], name(.storefront), documentTexts))
    return beside.filled(from: outer)
  }

  /// Rejects a whole document.
  func reject(
    _ problem: RecordProblem, _ handed: HandedIn, _ rows: inout StagedRows
  ) {
    rows.countsInBlock.count(rejected: .receipt)
    let rejected = RejectedRecord(
      kind: .receipt, problem: handed.placing(problem), line: handed.record.line)
    rejected.append(handed.shown, in: handed.file, to: &rows)
  }

  /// Rejects one transaction of a document that was counted as read.
  func rejectTransaction(
    _ problem: RecordProblem, shown: Bytes, _ handed: HandedIn, _ rows: inout StagedRows
  ) {
    rows.countsInBlock.transactions.rejected += 1
    let rejected = RejectedRecord(
      kind: .transaction, problem: handed.placing(problem), line: handed.record.line)
    rejected.append(shown, in: handed.file, to: &rows)
  }

  /// Writes the row of a transaction, unless its document already contained the same facts.
  ///
  /// An answer can contain the same facts in two lists of different age. The oldest evidence
  /// counts. For a refund or a signed transaction, the youngest evidence counts too: only a later
  /// signature of Apple reverses a refund.
  @inline(__always)
  func append(
    _ said: TransactionEvidence, _ handed: HandedIn, _ rows: inout StagedRows
  ) {
    let piece = encode(
      said,
      RowPlace(
        fileID: handed.file.fileID, line: handed.record.line, pointer: handed.pointer))
    let offset = rows.evidence.bytes.count + piece.evidenceOffset
    let outcome = seen.note(
      piece.hash, evidenceAt: piece.evidenceAt, offset: offset,
      doesYoungestCount: said.cancelledAt != nil || said.isSignedTransaction)
    switch outcome {
    case .new: rows.evidence.append(encodedRow: row.bytes)
    case .repeated: rows.countsInBlock.repeats += 1
    case .repeatedOlder(let earlier):
      rows.countsInBlock.repeats += 1
      rows.evidence.replaceTimestamp(at: earlier, with: piece.evidenceAt)
    }
  }

  /// Writes the row of a document.
  func finishDocument(
    _ hash: ContentHash, status: Int32 = 0, _ handed: HandedIn, _ rows: inout StagedRows
  ) {
    rows.countsInBlock.documents.read += 1
    rows.documents.beginRow(columns: 4)
    rows.documents.integer(handed.file.fileID)
    rows.documents.bigint(handed.record.line)
    rows.documents.uuid(hash.high, hash.low)
    rows.documents.integer(status)
  }
}

extension StagedRows {
  /// The columns of `staging_document`, in the order in which a row's values are written.
  package static let documentColumns = ["file_id", "line", "document_hash", "status"]
}

import CSimdJSON

extension RecordParser {
  /// Turns the rows of a table with evidence into staged rows by a search in their fields.
  func parseTable(
    _ bytes: Bytes, firstLine: Int64, _ table: ReceiptTable, in file: FileContext,
    into rows: inout StagedRows
  ) {
    let scanner = table.scanner(limit: file.settings.documentLimitBytes)
    scanner.forEachRecord(in: bytes, firstLine: firstLine) { record, problem in
      guard !record.bytes.trimmed.isEmpty,
        // Each of the joined files may name the separator and the columns.
        CSVHeader.namedSeparator(record.bytes) != table.separator,
        problem != nil || !table.isHeader(scanner.fields, of: bytes)
      else { return }
      func read(_ handed: HandedIn) {
        do throws(RecordProblem) {
          if let problem { throw problem }
          try parse(scanner.fields, of: bytes, table, handed, &rows)
        } catch {
          reject(record.explainedRow(error), handed, &rows)
        }
      }
      var handed = HandedIn(record, in: file)
      handed.isRow = true
      guard
        let shown = table.secrets.hidden(
          in: record.bytes, scanner.fields, isBroken: problem != nil, of: bytes)
      else {
        return read(handed)
      }
      shown.withUnsafeBufferPointer { read(handed.showing($0)) }
    }
  }

  private func parse(
    _ fields: [CSVField], of bytes: Bytes, _ table: ReceiptTable, _ handed: HandedIn,
    _ rows: inout StagedRows
  ) throws(RecordProblem) {
    let record = handed.record.bytes
    let limit = handed.file.settings.documentLimitBytes
    guard record.count <= limit else { throw .tooLong(record.count, limit: limit) }
    guard tieoutIsUTF8(record.baseAddress, record.count) else { throw .noText }
    guard fields.count == table.names.count else {
      throw .fields(fields.count, header: table.names.count)
    }
    // A part of a receipt cannot be read. A part of another value can, such as `12` of `1234`.
    if handed.record.isLast, let last = fields.indices.last, table.beside[last] != nil,
      record.last != Byte.quote
    {
      throw RecordProblem(
        .truncated, "The value of its last column may be cut off: end the row with a line end.")
    }
    entryTexts.begin(reserving: max(4096, record.count))
    var beside: [BesideMember: [UInt8]] = [:]
    var searched: [SearchedField] = []
    for (index, field) in fields.enumerated() where !field.range.isEmpty {
      let raw = bytes.part(field.range)
      let text = field.hasDoubledQuotes ? entryTexts.keep(unquoting: raw) : raw
      // Exports that separate by tabs write escapes, unless they write quotes.
      let start = field.range.lowerBound
      let isQuoted = start > 0 && bytes[start - 1] == Byte.quote
      let mayEscape = table.separator == Byte.tab && !isQuoted
      if let member = table.beside[index] {
        guard !text.isNullOfExport else { continue }
        let value = mayEscape ? entryTexts.keep(TextDecoding.unescapedRow(text)) : text
        beside[member] = JSONText(text: member.written(value)).bytes
      } else if text.count >= EvidenceSearch.shortestText {
        searched.append(
          SearchedField(
            name: table.names[index], text: text,
            isDoubled: mayEscape && TextDecoding.doublesEscapes(text)))
      }
    }
    let search = EvidenceSearch(
      searched, beside: beside,
      namingPlaces: handed.file.settings.pseudonyms.changesNothing)
    guard !search.found.isEmpty else {
      if table.namesColumnsBeside(fields, of: bytes) { throw .otherHeader }
      throw search.problem
        ?? RecordProblem(
          .notAReceipt,
          "No column of the row contains a receipt, a signed text or an answer of Apple; leave such rows "
            + "out of the export.")
    }
    reversedTexts = []
    parse(search.found, in: Bytes(start: nil, count: 0), handed, &rows)
    if let problem = search.problem { reject(problem, handed, &rows) }
  }
}

extension RecordProblem {
  fileprivate static let otherHeader = RecordProblem(
    .notAReceipt,
    "The row names columns, but it is not read as a header row. If it is one, the rows below it "
      + "can have wrong accounts: withdraw the file, and load its parts as files of their own.")
}

extension BesideMember {
  /// A column's value as the member writes it: adds the minutes if a database left them out of the
  /// offset of an instant.
  fileprivate func written(_ text: Bytes) -> [UInt8] {
    let isShort =
      self == .receivedAt && text.count > 16 && text[text.count - 1].isDigit
      && (text[text.count - 3] == UInt8(ascii: "+") || text[text.count - 3] == UInt8(ascii: "-"))
      && text.position(of: UInt8(ascii: ":")) != nil
    return Array(text) + (isShort ? Array(":00".utf8) : [])
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether an export of a database writes this text for a missing value.
  fileprivate var isNullOfExport: Bool { isEmpty || equals("\\N") || equals("NULL") }
}

import CopyFormat

extension RecordParser {
  /// The most entries of one catalogue; the App Store allows an app ten thousand products.
  private static let catalogueEntryLimit = 100_000

  /// Turns a catalogue into rows.
  func parseCatalogue(
    _ bytes: Bytes, in file: FileContext, into rows: inout StagedRows, _ counts: inout FileCounts
  ) {
    do throws(RecordProblem) {
      if bytes.first == Byte.openBrace || bytes.first == Byte.openBracket {
        try parseJSONCatalogue(bytes, in: file, into: &rows, &counts)
      } else {
        try parsePropertyList(bytes, in: file, into: &rows, &counts)
      }
    } catch {
      counts.count(rejected: .file)
      let rejected = RejectedRecord(
        kind: .file, problem: error, fileID: file.fileID, line: nil, length: Int64(bytes.count))
      rejected.append(bytes, limit: 0, to: &rows.rejections)
    }
    json.trim()
  }

  private func parseJSONCatalogue(
    _ bytes: Bytes, in file: FileContext, into rows: inout StagedRows, _ counts: inout FileCounts
  ) throws(RecordProblem) {
    let record = RawRecord(bytes: bytes, line: 1, isLast: true, isDocument: true)
    let root: JSONValue
    do throws(RecordProblem) {
      root = try json.parse(bytes)
    } catch {
      throw record.explained(error)
    }
    let isPlainList = root.isArray
    let entries = try isPlainList ? plainList(root, in: file) : products(of: root, in: file)
    try requireFew(entries.elementCount)
    var ordinal: Int64 = 0
    entries.forEachElement { value in
      ordinal += 1
      counts.catalogueEntries.read += 1
      do throws(RecordProblem) {
        let entry: CatalogueEntry
        if !isPlainList {
          entry = try CatalogueEntry(value, entryTexts)
        } else if let text = value.string {
          entry = try CatalogueEntry(productID: text)
        } else {
          throw RecordProblem(
            .badIdentifier,
            "An entry of the list is no text; a plain list holds product identifiers.")
        }
        entry.append(fileID: file.fileID, ordinal: ordinal, to: &rows.catalogue)
      } catch {
        JSONText(value).bytes.withUnsafeBufferPointer {
          reject($0, error, ordinal, in: file, &rows, &counts)
        }
      }
    }
  }

  private func plainList(_ root: JSONValue, in file: FileContext) throws(RecordProblem) -> JSONValue
  {
    if root.elementCount > 0 { try requireNoRecord(root.value(at: root.index + 1), in: file) }
    return root
  }

  private func products(of root: JSONValue, in file: FileContext) throws(RecordProblem) -> JSONValue
  {
    try requireNoRecord(root, in: file)
    guard let products = root.member("products"), products.isArray else {
      throw RecordProblem(
        .unknownFormat,
        "This JSON is no catalogue: neither an array of product identifiers nor an object with "
          + "version 2 and products.")
    }
    guard root.member("version")?.integer == 2 else {
      throw RecordProblem(
        .unknownVersion,
        "The catalogue does not say \"version\": 2, the only version with products that is known; add "
          + "it if that is its form.")
    }
    return products
  }

  private func requireNoRecord(_ value: JSONValue, in file: FileContext) throws(RecordProblem) {
    let probe = FormatProbe(file: file, parser: json)
    let kind = value.isObject ? probe.kind(of: value) : .unknown
    guard kind == .receipt || kind == .delivery else { return }
    if case .unusable(let problem) = probe.misplaced(kind) { throw problem }
  }

  private func parsePropertyList(
    _ bytes: Bytes, in file: FileContext, into rows: inout StagedRows, _ counts: inout FileCounts
  ) throws(RecordProblem) {
    let entries = try PropertyListCatalogue.entries(of: bytes)
    try requireFew(entries.count)
    for (index, entry) in entries.enumerated() {
      counts.catalogueEntries.read += 1
      var text = entry.productID ?? ""
      do throws(RecordProblem) {
        guard entry.productID != nil else {
          throw RecordProblem(
            .badIdentifier,
            "An entry of the list is neither a string nor a dictionary with productIdentifier.")
        }
        let known = try text.withUTF8Bytes { bytes throws(RecordProblem) in
          try CatalogueEntry(productID: bytes)
        }
        known.append(fileID: file.fileID, ordinal: Int64(index + 1), to: &rows.catalogue)
      } catch {
        text.withUTF8 { reject($0, error, Int64(index + 1), in: file, &rows, &counts) }
      }
    }
  }

  private func requireFew(_ entries: Int) throws(RecordProblem) {
    guard entries <= Self.catalogueEntryLimit else {
      throw RecordProblem(
        .tooLarge,
        "The catalogue has \(entries) entries, the limit is \(Self.catalogueEntryLimit); split it.")
    }
  }

  private func reject(
    _ raw: Bytes, _ problem: RecordProblem, _ ordinal: Int64, in file: FileContext,
    _ rows: inout StagedRows, _ counts: inout FileCounts
  ) {
    counts.catalogueEntries.rejected += 1
    let rejected = RejectedRecord(
      kind: .catalogue, problem: problem, fileID: file.fileID, line: ordinal)
    rejected.append(raw, limit: file.settings.rejectionLimitBytes, to: &rows.rejections)
  }
}

extension String {
  /// The text's bytes, for a body that may fail.
  fileprivate mutating func withUTF8Bytes<Result>(
    _ body: (Bytes) throws(RecordProblem) -> Result
  ) throws(RecordProblem) -> Result {
    let bytes = Array(utf8)
    var result: Swift.Result<Result, RecordProblem>?
    bytes.withUnsafeBufferPointer { buffer in
      do throws(RecordProblem) {
        result = .success(try body(buffer))
      } catch {
        result = .failure(error)
      }
    }
    guard let result else { throw RecordProblem(.badText, "The text could not be read.") }
    return try result.get()
  }
}

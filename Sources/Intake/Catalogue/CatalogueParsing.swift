import CopyFormat

extension RecordParser {
  /// Turns a catalogue, which begins in a line of its file, into rows.
  func parseCatalogue(
    _ bytes: Bytes, firstLine: Int64 = 1, in file: FileContext, into rows: inout StagedRows
  ) {
    do throws(RecordProblem) {
      let contents = try contents(of: bytes, firstLine: firstLine, in: file)
      append(contents, in: file, to: &rows)
    } catch {
      rejectFile(bytes, error, in: file, &rows)
    }
    json.trim()
  }

  private func contents(
    of bytes: Bytes, firstLine: Int64, in file: FileContext
  ) throws(RecordProblem) -> CatalogueContents {
    if bytes.starts(with: BinaryPropertyList.magic) {
      return try PropertyListCatalogue.contents(ofBinary: bytes)
    }
    if bytes.first == UInt8(ascii: "<") {
      return try MarkupCatalogue.contents(of: bytes, firstLine: firstLine)
    }
    let record = RawRecord(bytes: bytes, line: firstLine, isLast: true, isDocument: true)
    let root: JSONValue
    do throws(RecordProblem) {
      root = try json.parse(bytes)
    } catch {
      throw record.explained(error)
    }
    return try jsonCatalogue(root, in: file)
  }

  private func append(
    _ contents: CatalogueContents, in file: FileContext, to rows: inout StagedRows
  ) {
    for (index, item) in contents.items.enumerated() {
      rows.countsInBlock.catalogueEntries.read += 1
      let ordinal = Int64(index + 1)
      switch item {
      case .entry(let entry):
        entry.append(fileID: file.fileID, ordinal: ordinal, to: &rows.catalogue)
      case .rejected(let problem, let raw):
        rows.countsInBlock.catalogueEntries.rejected += 1
        let rejected = RejectedRecord(
          kind: .catalogue, problem: problem, line: ordinal)
        raw.withUnsafeBufferPointer {
          rejected.append($0, in: file, to: &rows)
        }
      }
    }
    for kind in contents.kinds {
      CatalogueEntry.append(covered: kind, fileID: file.fileID, to: &rows.catalogue)
    }
  }
}

/// A header row below the first one, as `cat` of several files leaves it.
struct RepeatedHeader {
  /// The place of the row with its line end.
  let range: Range<Int>
  /// The meaning of the columns below it, which may have another order than those above.
  let header: CSVHeader
}

extension CSVHeader {
  /// Finds the first row that is a header of the same form: it names all required columns.
  ///
  /// - Parameter rows: Whole rows.
  func repeated(in rows: Bytes, of file: FileContext) -> RepeatedHeader? {
    // Almost no other row contains the name of a column, and this search is fast.
    guard rows.contains(requiredName) else { return nil }
    let scanner = scanner(limit: file.settings.documentLimitBytes)
    var start = 0
    while start < rows.count {
      let end: Int
      switch scanner.scan(rows, from: start, isFinal: true) {
      case .record(let next):
        end = next
        if let header = header(of: scanner.fields, in: rows, file) {
          return RepeatedHeader(range: start..<end, header: header)
        }
      case .broken(let next, _): end = next
      case .incomplete: return nil
      }
      start = end
    }
    return nil
  }

  private func header(of fields: [CSVField], in rows: Bytes, _ file: FileContext) -> CSVHeader? {
    guard fields.contains(where: { rows.part($0.range).trimmed.elementsEqual(requiredName) }),
      let header = try? CSVHeader(
        names: fields.map { Self.name(rows, $0) }, separator: separator, in: file),
      header.form == form
    else { return nil }
    return header
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes contain the name of a column.
  fileprivate func contains(_ name: [UInt8]) -> Bool {
    // Few values contain an underscore, and most names do.
    let anchor = name.firstIndex(of: UInt8(ascii: "_")) ?? 0
    var from = anchor
    while let found = position(of: name[anchor], from: from) {
      let start = found - anchor
      guard start + name.count <= count else { return false }
      if part(start..<start + name.count).elementsEqual(name) { return true }
      from = found + 1
    }
    return false
  }
}

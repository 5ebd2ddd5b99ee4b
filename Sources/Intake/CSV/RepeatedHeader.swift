/// A header row below the first one, as `cat` of several files leaves it.
struct RepeatedHeader {
  /// The place of the row with its line end.
  let range: Range<Int>
  /// The meaning of the columns below it, which may have another order than those above; or why
  /// the rows below it cannot be read.
  let header: Result<any RowHeader, RecordProblem>
}

extension RowHeader {
  /// Finds the first row that is a header.
  ///
  /// - Parameter rows: Whole rows.
  func repeated(in rows: Bytes, of file: FileContext) -> RepeatedHeader? {
    // Almost no other row contains the name of a column, and this search is fast.
    // It ends at the first name that is found, so that many header rows cost no more than others.
    let names = searchedNames
    guard names.contains(where: { !$0.isEmpty && rows.containInAnyCase($0) }) else { return nil }
    let scanner = scanner(limit: file.settings.documentLimitBytes)
    var start = 0
    while start < rows.count {
      let end: Int
      switch scanner.scan(rows, from: start, isFinal: true) {
      case .record(let next):
        end = next
        let hasName = scanner.fields.contains { field in
          let text = rows.part(field.range).trimmed
          return names.contains { text.areInAnyCase($0) }
        }
        if hasName, let header = header(of: scanner.fields, in: rows, file) {
          return RepeatedHeader(range: start..<end, header: header)
        }
      case .broken(let next, _): end = next
      case .incomplete: return nil
      }
      start = end
    }
    return nil
  }
}

extension CSVHeader: RowHeader {
  var width: Int { columns.count }
  var content: Block.Content { .rows(self) }

  /// The header in a row below the first one; nil if the row is a record.
  ///
  /// A header names all required columns. In `client/`, it can have the other form.
  ///
  /// A row that names columns in most of its fields, but lacks a required one, is a header too. The
  /// rows below it must not be read by the header above it: their columns can have another order.
  /// As in the first header, a name in capitals is not the name of the column.
  ///
  /// A row with an instant is a record: customers can choose the names of columns as other values.
  func header(
    of fields: [CSVField], in rows: Bytes, _ file: FileContext
  ) -> Result<any RowHeader, RecordProblem>? {
    guard !fields.contains(where: { Instant.parseRFC3339(rows.part($0.range)) != nil }) else {
      return nil
    }
    let names = fields.map { Self.name(rows, $0) }
    do throws(RecordProblem) {
      return .success(try CSVHeader(names: names, separator: separator, in: file))
    } catch {
      let form = RecordForm(ofColumns: names, in: file)
      let known = names.count { name in
        form.hasColumn(name, in: file) || form.hasColumn(name.lowercased(), in: file)
      }
      guard 2 * known > names.count else { return nil }
      return .failure(error)
    }
  }
}

extension RecordProblem {
  /// The problem of a header row below the first one.
  func ofRepeatedHeader(inLine line: Int64) -> RecordProblem {
    RecordProblem(
      reason,
      "Line \(line) names columns again, and the rows below it are not used. \(detail)")
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes contain the name of a column, in capitals or not.
  fileprivate func containInAnyCase(_ name: [UInt8]) -> Bool {
    // Few values contain an underscore, and most names do.
    let anchor = name.firstIndex(of: UInt8(ascii: "_")) ?? 0
    for byte in Set([name[anchor].lowercased, name[anchor].uppercased]) {
      var from = anchor
      while let found = position(of: byte, from: from) {
        let start = found - anchor
        guard start + name.count <= count else { break }
        if part(start..<start + name.count).areInAnyCase(name) { return true }
        from = found + 1
      }
    }
    return false
  }

  /// Whether these bytes are a name, in capitals or not.
  fileprivate func areInAnyCase(_ name: [UInt8]) -> Bool {
    elementsEqual(name) { $0.lowercased == $1.lowercased }
  }
}

extension UInt8 {
  /// The capital letter of a letter from a to z; any other byte is itself.
  fileprivate var uppercased: UInt8 { (0x61...0x7a).contains(self) ? self & 0xdf : self }
}

extension DrawnTable {
  /// Reads a report: RFC 4180 with CRLF and a header row.
  package init(csv text: String) {
    var records: [[String]] = []
    var record: [String] = []
    var field = ""
    var isQuoted = false
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\"" where isQuoted && scalars.first == "\"":
        field.unicodeScalars.append(scalar)
        scalars.removeFirst()
      case "\"":
        isQuoted.toggle()
      case "," where !isQuoted:
        record.append(field)
        field = ""
      case "\r" where !isQuoted && scalars.first == "\n":
        scalars.removeFirst()
        records.append(record + [field])
        record = []
        field = ""
      default:
        field.unicodeScalars.append(scalar)
      }
    }
    self.init(header: records.first ?? [], rows: Array(records.dropFirst()))
  }
}

extension FileFormat {
  /// The form in a word or two, for people; nil if the folder cannot use the form.
  ///
  /// - Parameter bytes: The beginning of the file.
  func name(ofFileWith bytes: Bytes) -> String? {
    let text = bytes.trimmed
    switch self {
    case .nothing: return "empty"
    case .csv: return "CSV"
    case .table(let separator): return separator == UInt8(ascii: "\t") ? "TSV table" : "CSV table"
    case .values: return bytes.first == UInt8(ascii: "[") ? "JSON array" : "JSON documents"
    case .jsonLines: return EvidenceShape.isText(text) ? "base64, one a line" : "NDJSON"
    case .binaryReceipt: return "binary receipt"
    case .document:
      if EvidenceShape.isText(text) { return "base64" }
      if RecordedYAML.isOne(text) { return "YAML recording" }
      return EvidenceShape.isPropertyList(text) ? "property list" : "JSON"
    case .catalogue:
      if bytes.starts(with: BinaryPropertyList.magic) { return "binary property list" }
      return text.first == UInt8(ascii: "<") ? "XML" : "JSON"
    case .appleReport(let header): return header.name
    case .unusable, .undecided: return nil
    }
  }
}

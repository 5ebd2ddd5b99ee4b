/// The columns of a table that no rejection shows, because their names are names of secrets.
struct SecretColumns: Sendable {
  private let places: [Int]
  /// The number of all columns.
  private let width: Int

  init(among names: [String]) {
    places = names.indices.filter { SecretName.isSecret(Array(names[$0].utf8)) }
    width = names.count
  }

  var isEmpty: Bool { places.isEmpty }

  /// A row as a rejection may show it, with an asterisk for each byte of a secret; nil if there is
  /// no secret.
  ///
  /// A row that is broken, or does not have a field for each column, is hidden as a whole.
  func hidden(
    in row: Bytes, _ fields: [CSVField], isBroken: Bool, of bytes: Bytes
  ) -> [UInt8]? {
    guard !places.isEmpty else { return nil }
    var shown = Array(row)
    let start = row.startOffset(in: bytes)
    let hidden =
      fields.count == width && !isBroken
      ? places.map { fields[$0].range.lowerBound - start..<fields[$0].range.upperBound - start }
      : [0..<row.count]
    for place in hidden.joined() where shown.indices.contains(place) {
      shown[place] = UInt8(ascii: "*")
    }
    return shown
  }
}

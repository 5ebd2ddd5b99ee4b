/// Names that differ from known ones only in capitals, spaces, hyphens and underscores, as
/// `Account-ID` and `accountId` differ from `account_id`.
///
/// Such a name hardly ever means something else. If it were ignored, its values would be lost
/// silently, and a record of the sandbox would count as one of production.
enum OtherSpelling {
  /// A known name, and another spelling of it that a file has instead.
  typealias Pair = (known: String, written: String)

  /// The known names that are missing and of which there is another spelling among unknown names.
  static func pairs(of missing: [String], among unknown: [String]) -> [Pair] {
    missing.compactMap { known in
      unknown.first { $0.utf8.isSpelling(of: known.utf8) }.map { (known, $0) }
    }
  }

  /// The letters and digits of a name, in small letters; all its spellings have the same.
  static func letters(of name: String) -> String {
    String(decoding: Array(name.utf8.letters), as: UTF8.self)
  }

  /// The advice to write the known names, without a period at its end.
  static func advice(_ pairs: [Pair]) -> String {
    "Write \(pairs.map { "\($0.known) instead of \($0.written)" }.joined(separator: ", "))"
  }

  /// Refuses an object that has another spelling of the name of a missing member.
  static func require(_ known: [String], in object: JSONValue) throws(RecordProblem) {
    let names = object.memberNames()
    let written = pairs(
      of: known.filter { !names.contains($0) }, among: names.filter { !known.contains($0) })
    guard written.isEmpty else { throw .otherSpelling(written) }
  }
}

extension RecordProblem {
  /// A JSON record with other spellings of known names.
  static func otherSpelling(_ pairs: [OtherSpelling.Pair]) -> RecordProblem {
    RecordProblem(
      .missingField,
      "The record has another spelling of a known name. \(OtherSpelling.advice(pairs)).")
  }
}

extension Sequence<UInt8> {
  /// Whether two names differ at most in capitals, spaces, hyphens and underscores.
  func isSpelling(of name: some Sequence<UInt8>) -> Bool { letters.elementsEqual(name.letters) }

  /// The bytes without spaces, hyphens and underscores, in small letters.
  var letters: some Sequence<UInt8> {
    lazy.filter { !" -_".utf8.contains($0) }.map { $0.lowercased }
  }
}

extension UInt8 {
  /// The small letter of a letter from A to Z; any other byte is itself.
  var lowercased: UInt8 { (0x41...0x5a).contains(self) ? self | 0x20 : self }
}

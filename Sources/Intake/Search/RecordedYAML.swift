import YAML
import Yams

/// A recording of HTTP in YAML.
///
/// VCR for Ruby has the list `http_interactions` (https://github.com/vcr/vcr), VCR.py for Python
/// has the list `interactions` (https://github.com/kevin1024/vcrpy).
enum RecordedYAML {
  /// The lines at the top in which the name of the list is looked for.
  private static let lineLimit = 20
  /// The maximum number of bytes of JSON for each byte of YAML; an alias repeats its anchor.
  private static let growthLimit = 8

  /// The maximum number of bytes; the parser makes a node of many bytes for each character of a list.
  private static let byteLimit = 4 << 20
  /// The maximum number of brackets that are open at one place.
  ///
  /// The parser compares lists that are keys once for each level.
  private static let bracketLimit = 200
  /// The maximum product of the brackets that are open at one place and the number of bytes.
  private static let bracketWorkLimit = 32 * byteLimit

  /// The reason for a recording in which the search found nothing.
  static let noEvidence = RecordProblem(
    .notAReceipt,
    "This recording of HTTP has no evidence of a purchase in its requests and answers; keep it outside the inbox."
  )

  /// Whether a text is such a recording.
  ///
  /// Its list has no indent, and only comments, versions and the mark of a document come before it.
  static func isOne(_ text: Bytes) -> Bool {
    guard let first = text.first, first != Byte.openBrace, first != Byte.openBracket else {
      return false
    }
    var lines = 0
    for line in NonBlankLines(text.part(0..<min(text.count, 4096)), isWhole: true) {
      if line.starts(with: "http_interactions:") || line.starts(with: "interactions:") {
        return true
      }
      let isBefore =
        line.starts(with: "---") || line.starts(with: "#") || line.starts(with: "%YAML")
        || line.starts(with: "version:") || line.starts(with: "recorded_with:")
      lines += 1
      guard isBefore, lines < lineLimit else { return false }
    }
    return false
  }

  /// The recording as JSON.
  ///
  /// Each scalar is a string.
  ///
  /// - Parameters:
  ///   - firstLine: The line of the file in which the text begins.
  ///   - namingKeys: Whether a problem may quote a key, which can be the name of a person.
  /// - Throws: ``RecordProblem`` with `malformed` for a text that is no YAML, with `too_large` if it
  ///   is too long or aliases make it many times longer, with `too_deep` for a value that the search
  ///   could not reach.
  static func json(
    of text: Bytes, firstLine: Int64, namingKeys: Bool
  ) throws(RecordProblem) -> [UInt8] {
    guard text.count <= byteLimit else {
      throw RecordProblem(
        .tooLarge, "The recording has more than \(byteLimit >> 20) MB; split it.")
    }
    guard !hasManyOpenBrackets(text) else {
      throw RecordProblem(
        .tooDeep,
        "The recording has too many open brackets at one place, more than \(bracketLimit) or too many for its length; split it, or record it again with fewer."
      )
    }
    guard !YAML.hasManyAliases(text.span) else {
      throw RecordProblem(
        .tooLarge,
        "The recording has more than \(YAML.mostAliases) aliases (`*name`); record it without aliases."
      )
    }
    guard let string = String(validating: text, as: UTF8.self) else {
      throw RecordProblem(.invalidUTF8, "The recording is not UTF-8; write it as UTF-8.")
    }
    let root: Node?
    do { root = try YAML.root(of: string) } catch {
      let place = Self.place(of: error, firstLine: firstLine, namingKeys)
      throw .malformed(
        "The file is a recording of HTTP in YAML, but the YAML is broken (\(place)); record it "
          + "again.")
    }
    var writer = Writer(limit: Self.growthLimit * text.count + 4096)
    if let root { try writer.write(root, depth: 0) }
    return writer.json
  }

  /// Whether a text has more open brackets at one place than the limit allows, or so many for its
  /// length that the parser would need minutes.
  ///
  /// They are counted from the beginning of each recorded exchange. Brackets in texts count as well:
  /// almost all of them are closed. The mark `?` of a key opens a level that nothing closes.
  private static func hasManyOpenBrackets(_ text: Bytes) -> Bool {
    var open = 0
    var deepest = 0
    var before = (last: Byte.lineFeed, earlier: Byte.lineFeed)
    for byte in text {
      switch byte {
      case Byte.openBrace, Byte.openBracket: open += 1
      case Byte.closeBrace, Byte.closeBracket: open = max(0, open - 1)
      // In the list of exchanges, each begins with a hyphen at the beginning of a line.
      case Byte.space, Byte.lineFeed, Byte.carriageReturn:
        if before == (UInt8(ascii: "-"), Byte.lineFeed) { open = 0 }
        let isSeparate = [Byte.space, Byte.lineFeed].contains(before.earlier)
        if before.last == UInt8(ascii: "?"), isSeparate { open += 1 }
      default: break
      }
      deepest = max(deepest, open)
      before = (byte, before.last)
    }
    return deepest > bracketLimit || deepest * text.count > bracketWorkLimit
  }

  private static func place(of error: any Error, firstLine: Int64, _ namingKeys: Bool) -> String {
    func line(_ mark: Mark) -> Int64 { firstLine + Int64(mark.line) - 1 }
    return switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      "line \(line(mark)): \(RejectedRecord.visible(problem, limit: 100))"
    case .duplicatedKeysInMapping(let duplicates, let context):
      "line \(line(context.mark)): \(key(duplicates, namingKeys)) occurs twice"
    case .reader(let problem, let offset, _, _):
      "\(RejectedRecord.visible(problem, limit: 100))\(offset.map { ", at byte \($0)" } ?? "")"
    default: "not readable as YAML"
    }
  }

  private static func key(_ duplicates: [String], _ isNamed: Bool) -> String {
    guard isNamed, let first = duplicates.first else { return "a key" }
    return "the key \(RejectedRecord.visible(first, limit: 100))"
  }

  private struct Writer {
    let limit: Int
    var json: [UInt8] = []

    mutating func write(_ node: Node, depth: Int) throws(RecordProblem) {
      guard depth < EvidenceSearch.nestingLimit else {
        throw RecordProblem(
          .tooDeep,
          "The recording has more than \(EvidenceSearch.nestingLimit) nested values; record it again with fewer."
        )
      }
      guard json.count <= limit else {
        throw RecordProblem(
          .tooLarge,
          "The aliases of the recording make it more than \(RecordedYAML.growthLimit) times as long; record it "
            + "without aliases.")
      }
      switch node {
      case .scalar(let scalar):
        let isBinary = scalar.tag.description == Tag.Name.binary.rawValue
        write(isBinary ? scalar.string.filter { !$0.isWhitespace } : scalar.string)
      case .sequence(let sequence):
        json.append(Byte.openBracket)
        for (number, element) in sequence.enumerated() {
          if number > 0 { json.append(UInt8(ascii: ",")) }
          try write(element, depth: depth + 1)
        }
        json.append(Byte.closeBracket)
      case .mapping(let mapping):
        json.append(Byte.openBrace)
        var isFirst = true
        for (name, value) in mapping {
          if !isFirst { json.append(UInt8(ascii: ",")) }
          isFirst = false
          write(name.string ?? "")
          json.append(UInt8(ascii: ":"))
          try write(value, depth: depth + 1)
        }
        json.append(Byte.closeBrace)
      case .alias: write("")
      }
    }

    private mutating func write(_ text: String) {
      json += JSONText(text: Array(text.utf8)).bytes
    }
  }
}

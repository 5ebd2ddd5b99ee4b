/// The words that no text uses.
struct ReplacedWords {
  /// The place of a replaced word.
  struct Hit: Equatable {
    var line: Int
    var words: String
  }

  /// The words of each phrase, in lower case, by their first word.
  private var phrases: [String: [[String]]] = [:]

  /// The number of phrases.
  var count: Int { phrases.values.map(\.count).reduce(0, +) }

  /// Reads the phrases in double quotes from tables of Markdown.
  init(glossary: String) {
    for row in glossary.split(separator: "\n") where row.hasPrefix("|") {
      for phrase in row.matches(of: /"([^"]+)"/) {
        let words = Self.words(of: String(phrase.output.1)).map(\.word)
        if let first = words.first { phrases[first, default: []].append(words) }
      }
    }
  }

  /// The places where a text uses the phrases, also across line breaks.
  func hits(in text: String) -> [Hit] {
    let words = Self.words(of: text)
    return words.indices.flatMap { index in
      (phrases[words[index].word] ?? []).filter { phrase in
        words[index...].prefix(phrase.count).map(\.word) == phrase
      }.map { Hit(line: words[index].line, words: $0.joined(separator: " ")) }
    }
  }

  /// Words in lower case with their line.
  ///
  /// Spaces, hyphens, asterisks, slashes and number signs separate words. Any other sign counts as
  /// a word, so that no phrase crosses from one sentence into the next.
  private static func words(of text: String) -> [(line: Int, word: String)] {
    var words: [(line: Int, word: String)] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      var word = ""
      func end() {
        if !word.isEmpty { words.append((index + 1, word)) }
        word = ""
      }
      for character in line.lowercased() {
        if character.isLetter || character == "_" {
          word.append(character)
        } else {
          end()
          if !" -*/#".contains(character) { words.append((index + 1, String(character))) }
        }
      }
      end()
    }
    return words
  }
}

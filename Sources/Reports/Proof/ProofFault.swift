/// A difference between a reports folder and what was published.
package struct ProofFault: Error, CustomStringConvertible {
  /// One line: the place, what was expected, what is there, and what to do.
  package let description: String

  init(_ place: String, _ words: String, _ advice: String = ProofFault.restore) {
    description = "\(place) \(words). \(advice)"
  }

  static let restore =
    "Take it from a backup or an archive, and find out who can write there."
}

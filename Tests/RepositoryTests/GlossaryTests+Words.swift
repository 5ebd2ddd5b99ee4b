extension GlossaryTests {
  /// Words that no text uses although the glossary has no term for them, each with what to write.
  static let otherWords = """
    | "whoever" | the person who, anyone who |
    | "anew" | again |
    | "for ever" | permanently |
    | "need not" | does not have to |
    | "put right", "puts right" | fix, correct |
    | "told of", "tells of" | reported, reports |
    | "so many at most" | maximum number of |
    | "machine room" | monitoring |
    | "as far as is known" | say what was checked |
    | "mend", "mends", "mended" | fix |
    | "aloud" | explicitly |
    | "hither", "thither", "thereof", "whence" | here, there, of it, from where |
    | "sorrows" | problems |
    | "says of", "said of", "say of" | says about |
    | "speaks of", "speak of", "speaks about", "speak about" | is about |
    | "knows of", "nothing of" | knows, nothing about |
    | "stands in", "as it stands", "as they stand" | is in, as it is |
    | "but for" | except |
    | "tie out", "ties out" | compare, match |
    | "to be had" | available |
    | "lets go", "let go" | release, drop |
    """
}

/// The known name that was most likely meant; the first one if several are equally likely.
///
/// Nil if more than half of the letters of each name are wrong.
func nearestName(to given: String, among known: [String]) -> String? {
  nearest(to: given, among: known) { max(1, $0.count / 2) }
}

/// The known name that was most likely meant, or nil if none is similar enough.
///
/// A third of the letters of a similar name may be wrong, and always one.
package func likelyName(for given: String, among known: [String]) -> String? {
  nearest(to: given, among: known) { max(1, $0.count / 3) }
}

/// The first of the names with the least distance, among those whose distance is not above a limit.
private func nearest(
  to given: String, among known: [String], limit: (String) -> Int
) -> String? {
  let given = letters(given)
  return known.compactMap { name in
    distance(given, letters(name), upTo: limit(name)).map { (name: name, distance: $0) }
  }.min { $0.distance < $1.distance }?.name
}

/// The distance between two names, or nil if it is above the limit.
///
/// It is one if the shorter name has at least four letters and the longer name contains it: `grace`
/// means `grace_hours` and no other name of five letters.
private func distance(_ left: [Character], _ right: [Character], upTo limit: Int) -> Int? {
  if left == right { return 0 }
  let shorter = left.count < right.count ? left : right
  let longer = left.count < right.count ? right : left
  if shorter.count >= 4, String(longer).contains(String(shorter)) { return 1 }
  // Each edit changes the length by one at most.
  guard longer.count - shorter.count <= limit else { return nil }
  let edits = editDistance(left, right)
  return edits <= limit ? edits : nil
}

/// The first letters of a name; case and the kind of dash do not count.
private func letters(_ name: String) -> [Character] {
  name.lowercased().prefix(80).map { $0 == "-" || $0 == " " || $0 == "." ? "_" : $0 }
}

/// The number of edits between two names: a letter is inserted, dropped, replaced, or swapped with
/// its neighbour.
package func editDistance(_ left: [Character], _ right: [Character]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for (row, letter) in left.enumerated() {
    var current = [row + 1]
    for (column, other) in right.enumerated() {
      var best = min(
        current[column] + 1, last[column + 1] + 1, last[column] + (letter == other ? 0 : 1))
      if row > 0, column > 0, letter == right[column - 1], other == left[row - 1] {
        best = min(best, beforeLast[column - 1] + 1)
      }
      current.append(best)
    }
    beforeLast = last
    last = current
  }
  return last[right.count]
}

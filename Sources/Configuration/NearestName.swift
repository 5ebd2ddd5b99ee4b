/// The known name that was most likely meant; the first one if several are equally likely.
func nearestName(to given: String, among known: [String]) -> String? {
  known.map { (name: $0, distance: distance(given, $0)) }
    .min { $0.distance < $1.distance }?.name
}

/// The known name that was most likely meant, or nil if none is similar enough.
func likelyName(for given: String, among known: [String]) -> String? {
  guard let nearest = nearestName(to: given, among: known) else { return nil }
  return distance(given, nearest) <= max(1, nearest.count / 3) ? nearest : nil
}

/// The distance between two names; case and the kind of dash do not count.
///
/// It is one if the shorter name has at least four letters and the longer name contains it: `grace`
/// means `grace_hours` and no other name of five letters.
private func distance(_ left: String, _ right: String) -> Int {
  let left = Array(folded(left).prefix(80))
  let right = Array(folded(right).prefix(80))
  if left == right { return 0 }
  let shorter = left.count < right.count ? left : right
  let longer = left.count < right.count ? right : left
  if shorter.count >= 4, String(longer).contains(String(shorter)) { return 1 }
  return editDistance(left, right)
}

private func folded(_ name: String) -> String {
  String(name.lowercased().map { $0 == "-" || $0 == " " || $0 == "." ? "_" : $0 })
}

/// The number of edits between two names: a letter is inserted, dropped, replaced, or swapped with
/// its neighbour.
func editDistance(_ left: [Character], _ right: [Character]) -> Int {
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

/// Suggests a known name for a misspelled one.
package enum Suggestion {
  /// Returns the nearest of some names, or nil if none is near. A name is near if the number of
  /// edits is at most one or a third of the number of letters, whichever is more. The edits must
  /// also be at most half of the letters, because otherwise all names of one letter would be near.
  ///
  /// - Complexity: O(names × length²), for names of up to 64 UTF-8 bytes; longer names are ignored.
  package static func nearest(to name: String, among names: [String]) -> String? {
    guard name.utf8.count <= 64 else { return nil }
    let letters = Array(name.lowercased())
    var best: (name: String, distance: Int)?
    for candidate in names where candidate.utf8.count <= 64 {
      let distance = distance(letters, Array(candidate.lowercased()))
      let length = max(letters.count, candidate.count)
      guard distance <= max(1, length / 3), distance * 2 <= length else { continue }
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// Returns `; did you mean "posts"?`, or an empty string if no name is near.
  package static func sentence(for name: String, among names: [String]) -> String {
    nearest(to: name, among: names).map { "; did you mean \($0.quoted)?" } ?? ""
  }

  /// Returns the edit distance: the least number of letters to insert, delete, replace or swap with
  /// their neighbor.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 0..<left.count {
      var current = [row + 1]
      for column in 0..<right.count {
        let isSame = left[row] == right[column]
        var best = min(
          last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, beforeLast[column - 1] + 1)
        }
        current.append(best)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}

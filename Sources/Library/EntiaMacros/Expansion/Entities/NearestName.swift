/// Suggests a known name for a misspelled one.
enum NearestName {
  /// Returns the nearest of some names, or `nil` if all differ by more than a third of the letters.
  static func of(_ name: String, among names: [String]) -> String? {
    let letters = Array(name.lowercased())
    let distances = names.map { (name: $0, distance: distance(letters, Array($0.lowercased()))) }
    guard let best = distances.min(by: { $0.distance < $1.distance }),
      best.distance <= max(1, letters.count / 3), best.distance < letters.count
    else { return nil }
    return best.name
  }

  /// Returns the number of letters to insert, delete or replace.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
        current.append(min(replaced, last[column + 1] + 1, current[column] + 1))
      }
      last = current
    }
    return last[right.count]
  }
}

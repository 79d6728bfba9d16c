/// The nearest known word to one that is not known.
enum Suggestion {
  /// The words to append to an error, or nothing when no known word is near.
  ///
  /// - Complexity: O(*n* · *m*) in the lengths of the two words, for each known word.
  static func phrase(for word: String, among known: [String]) -> String {
    nearest(to: word, among: known).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// The nearest known word, the first of equals; nil when none is near.
  static func nearest(to word: String, among known: [String]) -> String? {
    var best: (word: String, distance: Int)?
    for candidate in known {
      guard let distance = distance(from: bare(word), to: bare(candidate)) else { continue }
      if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
    }
    return best?.word
  }

  /// The least number of letters put in, left out, replaced or swapped with their neighbour that
  /// turn one word into the other; nil when the words are not alike.
  ///
  /// A word that begins the other is near whatever is left: people shorten.
  private static func distance(from word: [Character], to candidate: [Character]) -> Int? {
    guard !word.isEmpty, !candidate.isEmpty else { return nil }
    let gap = abs(word.count - candidate.count)
    if candidate.starts(with: word) || word.starts(with: candidate) && gap <= 8 { return gap }
    let limit = max(1, min(3, candidate.count / 3))
    guard gap <= limit else { return nil }
    let distance = editDistance(word, candidate)
    return distance <= limit ? distance : nil
  }

  static func editDistance(_ first: [Character], _ second: [Character]) -> Int {
    var before: [Int] = []
    var previous = Array(0...second.count)
    for i in first.indices {
      var current = [i + 1]
      for j in second.indices {
        let replaced = previous[j] + (first[i] == second[j] ? 0 : 1)
        var least = min(replaced, previous[j + 1] + 1, current[j] + 1)
        if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] {
          least = min(least, before[j - 1] + 1)
        }
        current.append(least)
      }
      before = previous
      previous = current
    }
    return previous[second.count]
  }

  private static func bare(_ word: String) -> [Character] {
    Array(word.lowercased().drop { $0 == "-" })
  }
}

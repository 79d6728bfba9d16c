import EntiaCoding
import EntiaTestSupport
import Testing

@Suite("The tape of a JSON value")
struct JSONTapeTests {
  /// Returns the positions among the members whose names repeat an earlier one.
  private func repeated(_ names: [String]) -> [Int] {
    names.indices.filter { names[..<$0].contains(names[$0]) }
  }

  /// Returns the positions of the members whose names the tape finds to repeat an earlier one.
  /// - Parameter spellings: The names as they are written.
  private func found(_ spellings: [String]) throws -> [Int] {
    var text = "{"
    var offsets: [Int] = []
    for spelling in spellings {
      if text.utf8.count > 1 { text += "," }
      offsets.append(text.utf8.count)
      text += "\"\(spelling)\":{\"a\":[{\"a\":1}]}"
    }
    text += "}"
    return try Array(text.utf8).withUnsafeBufferPointer { bytes in
      var reader = JSONReader(bytes)
      var tape = JSONTape()
      try tape.read(try reader.next(), from: &reader)
      return tape.duplicates.compactMap { offsets.firstIndex(of: $0) }
    }
  }

  @Test("Repeated names are found among all names of few letters, however they are spelled")
  func shortNames() throws {
    let letters = ["a", "b", "h"]
    let names = [""] + letters + letters.flatMap { first in letters.map { first + $0 } }
    for first in names {
      for second in names {
        for third in names {
          let all = [first, second, third]
          try expectEqual(found(all), repeated(all))
          let spelled = [first, second.replacing("a", with: "\\u0061"), third]
          try expectEqual(found(spelled), repeated(all))
        }
      }
    }
  }

  @Test("Repeated names are found in objects of any size", arguments: [2, 15, 16, 17, 18, 64, 200])
  func sizes(count: Int) throws {
    let names = (0..<count).map { "m\($0)" }
    try expectEqual(found(names), [])
    for place in Set([1, count / 2, count - 1]) {
      for earlier in Set([0, place - 1]) {
        var all = names
        all[place] = names[earlier]
        try expectEqual(found(all), [place])
        try expectEqual(found(all + [names[earlier]]), [place, count])
      }
    }
  }
}

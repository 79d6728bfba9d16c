import Entia
import EntiaDatabase
import EntiaTestSupport
import Foundation
import Testing

/// A wrapper with state beside its value, and with a `Codable` of its own.
@propertyWrapper
private struct Counted: Codable, Equatable, Sendable {
  var wrappedValue: Int { didSet { writes += 1 } }
  var writes = 0

  init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
}

/// A wrapper that is not `Codable`.
@propertyWrapper
private struct Clamped: Equatable, Sendable {
  private var value: Int
  var wrappedValue: Int {
    get { value }
    set { value = min(newValue, 10) }
  }

  init(wrappedValue: Int) { value = min(wrappedValue, 10) }
}

@Entity
private struct Game {
  let id: Int
  @Counted var points: Int
  @Clamped var level = 3

  var writes: Int { _points.writes }
}

/// Written by hand.
private struct CodedGame: EntityType, Identifiable, Codable {
  let id: Int
  @Counted var points: Int
}

@Suite("Members with property wrappers")
struct WrappedMemberTests {
  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test("A row has the wrapped value, and no other state of the wrapper")
  func coding() throws {
    var game = Game(id: 1, points: 4)
    (game.points, game.level) = (5, 12)
    expectEqual(game.writes, 1)
    try expectEqual(json(game), #"{"id":1,"level":10,"points":5}"#)
    let read = try JSONDecoder().decode(Game.self, from: Data(try json(game).utf8))
    expectTrue(read.points == 5 && read.level == 10 && read.writes == 0)
    try expectEqual(
      json(CodedGame(id: 1, points: 4)), #"{"id":1,"points":{"wrappedValue":4,"writes":0}}"#)
  }

  @Test("Wrapped values are merged")
  func merging() {
    let base = Game(id: 1, points: 4)
    var (mine, theirs) = (base, base)
    mine.level = 8
    theirs.points = 5
    var merger = RowMerger()
    let merged = Game(merging: mine, with: theirs, base: base, by: &merger)
    expectTrue(merged.points == 5 && merged.level == 8 && merged.writes == 0)
    expectTrue(merger.conflicts.isEmpty)
  }
}

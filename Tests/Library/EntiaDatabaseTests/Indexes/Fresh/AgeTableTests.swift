import EntiaCollections
import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaDatabase

@Suite("The table of ages")
struct AgeTableTests {
  typealias ID = Note.EntityID
  typealias Table = AgeTable<ID>

  /// A table and the same times in a dictionary.
  private struct Modelled {
    var table = Table()
    var model: [ID: Date] = [:]

    mutating func set(_ ids: some Sequence<Int>, to time: Date) {
      table.set(ids.map { ID($0) }, to: time)
      for id in ids { model[ID(id)] = time }
    }

    mutating func remove(_ id: Int) {
      table.remove(ID(id))
      model[ID(id)] = nil
    }

    /// Expects that both are the same.
    /// - Parameters:
    ///   - ids: The range of all IDs that were set or removed.
    ///   - bound: The time up to which early IDs are compared.
    func check(_ ids: Range<Int>, upTo bound: Date) {
      expectTrue(table.misplaced == [] && table.count == model.count)
      for id in ids where table.time(of: ID(id)) != model[ID(id)] {
        Issue.record("\(id) was received at another time")
      }
      let ordered = model.map { (time: $1, id: $0.raw) }.sorted { $0 < $1 }
      expectTrue(
        table.map(\.key.raw) == ordered.map(\.id) && table.map(\.value) == ordered.map(\.time))
      let early = AgedIDs<Note>(table, to: .excluding(bound))
      let expected = ordered.filter { $0.time < bound }.map { ID($0.id) }
      expectTrue(early.elementsEqual(expected) && early.count == expected.count)
      expectTrue(early.reversed().elementsEqual(expected.reversed()))
      expectEqual(early.indices.map { early[$0] }, expected)
    }
  }

  @Test("Random histories are those of a dictionary", arguments: 0..<scaled(4))
  func histories(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var current = Modelled()
    var versions = [current]
    let limit = seed.isMultiple(of: 2) ? 200 : 4_000
    let ids = -1..<limit + 90
    for step in 0..<600 {
      let start = Int.random(in: 0..<limit, using: &random)
      let time = at(Double(Int.random(in: 0..<(seed % 3 == 0 ? 3 : 50), using: &random)))
      switch Int.random(in: 0..<(step < 300 ? 6 : 9), using: &random) {
      case 0: current.set(start..<start + 90, to: time)
      case 1: current.set((0..<20).map { _ in .random(in: 0..<limit, using: &random) }, to: time)
      case 2: current.set([start, start], to: time)
      case 3, 4: current.set([start], to: time)
      case 5: current.remove(start)
      default: for id in start..<start + 60 { current.remove(id) }
      }
      if step.isMultiple(of: 100) {
        versions.append(current)
        current.check(ids, upTo: time)
      }
    }
    for version in versions { version.check(ids, upTo: at(25)) }
    for (old, new) in zip(versions + versions.reversed(), versions.dropFirst() + versions) {
      let ids = Set(old.model.keys).union(new.model.keys)
      let changed = ids.filter { old.model[$0] != new.model[$0] }
      let expected = changed.sorted().map {
        Table.Difference(id: $0, old: old.model[$0], new: new.model[$0])
      }
      expectEqual(new.table.differences(from: old.table), expected)
    }
  }

  @Test("IDs whose hashes are the same are told apart")
  func hashes() {
    /// An ID with one of four hashes.
    struct Crowded: TableKey, Comparable {
      let number: Int

      static func < (a: Self, b: Self) -> Bool { a.number < b.number }

      func tableHash(seed: UInt64) -> UInt64 { UInt64(number % 4) << 36 }
    }
    var random = SeededGenerator(seed: 3)
    var table = AgeTable<Crowded>()
    var model: [Crowded: Date] = [:]
    for step in 0..<1_000 {
      let id = Crowded(number: .random(in: 0..<40, using: &random))
      if Bool.random(using: &random) {
        let time = at(Double(Int.random(in: 0..<3, using: &random)))
        let ids = step.isMultiple(of: 7) ? [id, Crowded(number: id.number + 4), id] : [id]
        table.set(ids, to: time)
        for id in ids { model[id] = time }
      } else {
        table.remove(id)
        model[id] = nil
      }
      expectTrue(table.count == model.count && table.misplaced == [])
      let ids = (0..<44).map { Crowded(number: $0) }
      expectTrue(ids.allSatisfy { table.time(of: $0) == model[$0] }, "step \(step)")
    }
    var first = AgeTable<Crowded>()
    first.set((0..<100).map { Crowded(number: $0) }, to: at(1))
    expectTrue(first.count == 100 && first.misplaced == [])
    expectTrue(!table.others.isEmpty && !first.others.isEmpty)
  }

  @Test("Hashes are sorted, in any number and however they are distributed")
  func sorting() {
    var random = SeededGenerator(seed: 5)
    for count in [0, 1, 2, 100, 255, 256, 1_000, 70_000] {
      for bits in count > 1_000 ? [48] : [48, 40, 3] {
        let hashes = (0..<count).map { _ in UInt64.random(in: 0..<(1 << bits), using: &random) }
        expectEqual(Table.sorted(hashes), hashes.sorted())
      }
    }
  }

  @Test("Both zeros are one time, and all times that are no number are one, the last")
  func times() {
    let nan = Date(timeIntervalSinceReferenceDate: .nan)
    var table = Table()
    table.set([2], to: nan)
    table.set([1], to: Date(timeIntervalSinceReferenceDate: -.nan))
    table.set([4], to: at(-0.0))
    table.set([3, 5], to: at(0))
    table.set([6], to: Date(timeIntervalSinceReferenceDate: .infinity))
    expectTrue(table.map(\.key.raw) == [3, 4, 5, 6, 1, 2] && table.misplaced == [])
    expectTrue(table.times.count == 3 && table.runs.count == 3)
    expectEqual(table.time(of: 1)?.timeIntervalSinceReferenceDate.isNaN, true)
    for id in 1...6 { table.remove(ID(id)) }
    expectTrue(table.isEmpty && table.times.isEmpty && table.hashes.isEmpty)
  }

  @Test("A table takes little room, also when rows arrive in any order or most of them have left")
  func room() {
    var random = SeededGenerator(seed: 1)
    var table = Table()
    for id in (0..<6_000).shuffled(using: &random) { table.set([ID(id)], to: at(Double(id % 97))) }
    expectTrue(table.runs.count < 2 * 97 && table.times.count == 97)
    for id in 0..<6_000 where id % 40 != 0 { table.remove(ID(id)) }
    expectTrue(table.count == 150 && table.runs.allSatisfy { $0.rest.capacity <= 8 })
    var pages = Table()
    for start in stride(from: 0, to: 6_000, by: 20) {
      pages.set((start..<start + 20).map { ID($0) }, to: at(Double(start)))
    }
    expectEqual(pages.runs.count, 300)
    var ascending = Table()
    for id in 0..<6_400 { ascending.set([ID(id)], to: at(1)) }
    expectEqual(ascending.runs.count, 100)
    var descending = Table()
    for id in 0..<6_400 { descending.set([ID(-id)], to: at(1)) }
    expectEqual(descending.runs.count, 100)
  }

  @Test("A time that a row already has copies nothing, and one row copies three paths")
  func versions() {
    var table = Table()
    table.set((0..<6_000).map { ID($0) }, to: at(1))
    let old = table
    table.set([3, 4, 5_000], to: at(1))
    table.remove(7_000)
    expectTrue(table.isIdentical(to: old))
    let work = TableWork.counting { table.set([3_000], to: at(2)) }
    expectTrue(work.copiedNodes <= 12 && old.time(of: 3_000) == at(1))
    expectEqual(table.differences(from: old), [.init(id: 3_000, old: at(1), new: at(2))])
  }
}

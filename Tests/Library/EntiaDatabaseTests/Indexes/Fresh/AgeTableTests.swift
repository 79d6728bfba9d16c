import EntiaCollections
import EntiaLaws
import EntiaTestDomains
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
    func check(upTo bound: Date) {
      #expect(table.misplaced == [] && table.count == model.count)
      #expect(Array(table) == model.keys.sorted().map { KeyValueEntry(key: $0, value: model[$0]!) })
      let ordered = model.keys.sorted { (model[$0]!, $0) < (model[$1]!, $1) }
      let oldest = IteratorSequence(OldestFirstIterator(table, to: .unbounded))
      #expect(oldest.map(\.id) == ordered)
      let early = IteratorSequence(OldestFirstIterator(table, to: .excluding(bound)))
      #expect(early.map(\.id) == ordered.filter { model[$0]! < bound })
    }
  }

  @Test("Random histories are those of a dictionary", arguments: 0..<8)
  func histories(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var current = Modelled()
    var versions = [current]
    let limit = seed.isMultiple(of: 2) ? 200 : 4_000
    for step in 0..<600 {
      let start = Int.random(in: 0..<limit, using: &random)
      let time = at(Double(Int.random(in: 0..<50, using: &random)))
      switch Int.random(in: 0..<(step < 300 ? 6 : 9), using: &random) {
      case 0: current.set(start..<start + 40, to: time)
      case 1: current.set((0..<20).map { _ in .random(in: 0..<limit, using: &random) }, to: time)
      case 2: current.set([start, start], to: time)
      case 3, 4: current.set([start], to: time)
      case 5: current.remove(start)
      default: for id in start..<start + 60 { current.remove(id) }
      }
      if step.isMultiple(of: 50) {
        versions.append(current)
        current.check(upTo: time)
      }
    }
    for version in versions { version.check(upTo: at(25)) }
    for (old, new) in zip(versions + versions.reversed(), versions.dropFirst() + versions) {
      let differences = new.table.differences(from: old.table)
      let ids = Set(old.model.keys).union(new.model.keys).filter { old.model[$0] != new.model[$0] }
      #expect(differences.map { ($0.new ?? $0.old)!.pointee.key } == ids.sorted())
      for (before, after) in differences {
        let id = (before ?? after)!.pointee.key
        #expect(before?.pointee.value == old.model[id] && after?.pointee.value == new.model[id])
      }
    }
  }

  @Test("Of the entries of one ID, the latest is kept; a time that is no number is the last")
  func entries() {
    let nan = Date(timeIntervalSinceReferenceDate: .nan)
    let table = Table([
      KeyValueEntry(key: 2, value: at(5)), KeyValueEntry(key: 1, value: nan),
      KeyValueEntry(key: 2, value: at(9)), KeyValueEntry(key: 3, value: at(7)),
    ])
    #expect(table.count == 3 && table[2] == at(9) && table.misplaced == [])
    #expect(IteratorSequence(OldestFirstIterator(table, to: .unbounded)).map(\.id) == [3, 2, 1])
    #expect(Table([]).isEmpty && Table()[1] == nil)
  }

  @Test("A table takes little room, also when rows arrive in any order or most of them have left")
  func room() {
    var random = SeededGenerator(seed: 1)
    var table = Table()
    for id in (0..<6_000).shuffled(using: &random) {
      table.set([ID(id)], to: at(Double(id % 97)))
    }
    #expect(table.roomOfEntries < 7_800)
    for id in 0..<6_000 where id % 40 != 0 { table.remove(ID(id)) }
    #expect(table.count == 150 && table.blocks.count <= 10 && table.misplaced == [])
    var pages = Table()
    for start in stride(from: 0, to: 6_000, by: 20) {
      pages.set((start..<start + 20).map { ID($0) }, to: at(Double(start)))
    }
    #expect(pages.roomOfEntries < 6_300)
  }

  @Test("A time that a row already has copies nothing, and one row copies one block")
  func versions() {
    var table = Table()
    table.set((0..<6_000).map { ID($0) }, to: at(1))
    let old = table
    table.set([3, 4, 5_000], to: at(1))
    table.remove(7_000)
    #expect(table.isIdentical(to: old))
    let work = TableWork.counting { table.set([3_000], to: at(2)) }
    #expect(work.copiedNodes <= 6 && old[3_000] == at(1))
    #expect(table.blocks.differences(from: old.blocks).count == 2)
  }

  @Test("The oldest are found in the blocks that have them, and only these are opened")
  func opening() {
    var table = Table()
    for start in stride(from: 0, to: 6_000, by: 20) {
      table.set((start..<start + 20).map { ID($0) }, to: at(Double(6_000 - start)))
    }
    var oldest = OldestFirstIterator(table, to: .unbounded)
    for expected in [5_980, 5_981] { #expect(oldest.next()?.id == ID(expected)) }
    #expect(oldest.open.count == 1)
    var same = Table()
    same.set((0..<6_000).map { ID($0) }, to: at(1))
    var first = OldestFirstIterator(same, to: .unbounded)
    for expected in 0..<500 {
      #expect(first.next()?.id == ID(expected) && first.open.count <= 1)
    }
  }
}

extension AgeTable {
  /// The number of entries for which there is room.
  fileprivate var roomOfEntries: Int { blocks.reduce(0) { $0 + $1.entries.capacity } }
}

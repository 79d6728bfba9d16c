import EntiaCollections
import EntiaTestSupport
import Foundation
import Testing

/// Positions and elements that came from outside: none of these stops the program.
@Suite("IdentifiedArray: stale positions and changed IDs")
struct IdentifiedArrayPositionTests {
  @Test("An element whose ID is there is not inserted, whatever the position")
  func insertions() {
    for position in [-1, 3, 99] {
      var list = todos(1, 2)
      #expect(list.insert(Todo(id: 2, title: "x"), at: position) == (false, 1))
      expectEqual(list, todos(1, 2))
      let result = list.updateOrInsert(Todo(id: 2, title: "x"), at: position)
      expectEqual(result.originalMember?.title, "t2")
      expectEqual(result.index, 1)
      expectEqual(list.map(\.title), ["t1", "x"])
    }
  }

  @Test("Offsets that no element has are ignored")
  func offsets() {
    var list = todos(0, 1, 2)
    list.move(fromOffsets: [1, 99], toOffset: 0)
    expectEqual(list.ids, [1, 0, 2])
    list.move(fromOffsets: [0, 3], toOffset: 3)
    expectEqual(list.ids, [0, 2, 1])
    list.move(fromOffsets: [7, 8], toOffset: 1)
    expectEqual(list.ids, [0, 2, 1])
    list.remove(atOffsets: [1, 99])
    expectEqual(list.ids, [0, 1])
    list.remove(atOffsets: [2])
    expectEqual(list.ids, [0, 1])
    list = []
    list.move(fromOffsets: [0], toOffset: 0)
    list.remove(atOffsets: [0])
    expectTrue(list.isEmpty)
  }

  @Test("A destination that is out of bounds is the nearest end")
  func destinations() {
    var list = todos(0, 1, 2)
    list.move(fromOffsets: [0], toOffset: 99)
    expectEqual(list.ids, [1, 2, 0])
    list.move(fromOffsets: [2], toOffset: -1)
    expectEqual(list.ids, [0, 1, 2])
  }

  @Test("Many stale offsets are ignored too", arguments: [2, 40])
  func manyOffsets(count: Int) {
    let offsets = IndexSet(stride(from: 1, to: 2 * count, by: 2)).union([200, 300])
    var moved = Todos(uniqueElements: (0..<100).map { Todo(id: $0) })
    var removed = moved
    moved.move(fromOffsets: offsets, toOffset: 0)
    let chosen = offsets.filter { $0 < 100 }
    let others = (0..<100).filter { !offsets.contains($0) }
    expectEqual(moved.map(\.id), chosen + others)
    removed.remove(atOffsets: offsets)
    expectEqual(removed.map(\.id), others)
  }

  @Test("A combined element with another ID is stored under the ID of the two")
  func uniquing() {
    let elements = [Todo(id: 1), Todo(id: 2), Todo(id: 1)]
    let list = Todos(elements) { _, _ in Todo(id: 9) }
    expectEqual(list.map(\.id), [9, 2])
    expectEqual(list[id: 1]?.id, 9)
    expectNil(list[id: 9])
    let same = IdentifiedArray(elements, id: \.id, uniquingIDsWith: { _, _ in Todo(id: 2) })
    expectEqual(same.map(\.id), [2, 2])
    expectEqual(same.index(id: 2), 1)
  }

  @Test("An element whose ID is a NaN is changed in place and by its ID")
  func notANumber() {
    struct Row: Equatable {
      let id: Double
      var text: String
    }
    var rows = IdentifiedArray(id: \Row.id)
    rows.append(Row(id: .nan, text: "a"))
    rows[0].text += "b"
    rows[id: .nan]?.text += "c"
    rows[id: .nan] = rows[0]
    expectEqual(rows.map(\.text), ["abc"])
    expectEqual(rows, IdentifiedArray(uniqueElements: rows.elements, id: \.id))
    expectEqual(rows.ids, [.nan])
  }
}

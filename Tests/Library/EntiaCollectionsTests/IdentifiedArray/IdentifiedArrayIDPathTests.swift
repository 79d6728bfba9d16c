import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCollections

/// Arrays whose IDs are at every kind of key path, through everything that reads an ID.
@Suite("IdentifiedArray: the paths of IDs")
struct IdentifiedArrayIDPathTests {
  struct Row: Identifiable, Equatable {
    struct Place: Equatable { var column = 0, row = 0 }

    /// The requirement of `Identifiable` is computed, from a member that is not the first.
    var id: Int { place.row }
    var title: String
    var place: Place
    var code: String { "c\(place.row)" }

    init(_ number: Int, _ title: String = "") {
      self.title = title
      place = Place(column: -number, row: number)
    }
  }

  final class Box: Identifiable, Equatable {
    var title = ""
    static func == (lhs: Box, rhs: Box) -> Bool { lhs === rhs }
  }

  /// A type whose path to the ID is not that of `Identifiable`.
  struct Twice: Identifiable, Equatable {
    var id: Int
    var other: Int
    var title = ""
  }

  @Test("Identifiable elements, stored and computed properties, nested ones and the element itself")
  func paths() {
    check((0..<40).map { Row($0) }, { IdentifiedArray(uniqueElements: $0) }, id: \.id)
    check(
      (0..<40).map { Row($0) }, { IdentifiedArray(uniqueElements: $0, id: \.place.row) }, id: \.id)
    check((0..<40).map { Row($0) }, { IdentifiedArray(uniqueElements: $0, id: \.code) }, id: \.code)
    check((0..<40).map { Row($0) }, { IdentifiedArray(uniqueElements: $0, id: \.id) }, id: \.id)
    check((0..<40).map { Todo(id: $0) }, { Todos(uniqueElements: $0) }, id: \.id)
    check((0..<40).map { Todo(id: $0) }, { Todos(uncheckedUniqueElements: $0) }, id: \.id)
    check((0..<40).map { "\($0)" }, { IdentifiedArray(uniqueElements: $0, id: \.self) }, id: \.self)
    check((0..<40).map { _ in Box() }, { IdentifiedArray(uniqueElements: $0) }, id: \.id)
    check(
      (0..<40).map { Twice(id: 7, other: $0) },
      { IdentifiedArray(uniqueElements: $0, id: \.other) }, id: \.other)
    check(
      (0..<40).map { Twice(id: $0, other: 7) }, { IdentifiedArray($0) { first, _ in first } },
      id: \.id)
  }

  /// Uses every operation that reads the ID of an element.
  private func check<ID, Element: Equatable>(
    _ elements: [Element], _ make: ([Element]) -> IdentifiedArray<ID, Element>,
    id: KeyPath<Element, ID>
  ) {
    var list = make(Array(elements.prefix(30)))
    let held = list
    for element in elements.suffix(10) { expectTrue(list.append(element).inserted) }
    expectEqual(list.elements, elements)
    for (position, element) in elements.enumerated() {
      expectEqual(list.index(id: element[keyPath: id]), position)
      expectTrue(list.contains(element))
      #expect(list.append(element) == (false, position))
      list[position] = element
      list[id: element[keyPath: id]] = element
      list.update(element, at: position)
    }
    expectEqual(list.elements, elements)
    expectEqual(list.ids.map { $0 }, elements.map { $0[keyPath: id] })
    // The way to the ID is kept by everything that builds the table anew.
    let flag = list.table.ownerFlag
    expectEqual(make([]).table.ownerFlag, flag)
    expectEqual(list.filter { $0 != elements[0] }.table.ownerFlag, flag)
    list.reverse()
    expectEqual(list.table.ownerFlag, flag)
    expectEqual(IdentifiedArray(list[3..<20]).table.ownerFlag, flag)
    list.removeAll { $0 == elements[5] || $0 == elements[6] }
    expectEqual(list.table.ownerFlag, flag)
    for element in elements { list.remove(element) }
    expectTrue(list.isEmpty && list.table.ownerFlag == flag)
    for element in elements.reversed() { list.updateOrInsert(element, at: 0) }
    expectEqual(list.elements, elements)
    list.removeAll()
    expectEqual(list.table.ownerFlag, flag)
    expectEqual(held.elements, Array(elements.prefix(30)))
  }

  @Test("Identifiable elements use their own ID, other paths do not")
  func flags() throws {
    expectTrue(Todos().table.ownerFlag)
    expectTrue(todos(1).table.ownerFlag)
    try expectTrue(Todos([Todo(id: 1)], duplicates: .keep).table.ownerFlag)
    let decoded = try JSONDecoder().decode(Todos.self, from: JSONEncoder().encode(todos(1, 2)))
    expectTrue(decoded.table.ownerFlag)
    expectFalse(IdentifiedArray(id: \Todo.title).table.ownerFlag)
    expectFalse(IdentifiedArray(uniqueElements: [Todo(id: 1)], id: \.id).table.ownerFlag)
    expectEqual(
      IdentifiedArray(uniqueElements: [Todo(id: 1)], id: \.id), Todos(uniqueElements: [Todo(id: 1)])
    )
  }

  @Test("Arrays with different ways to their IDs share their index")
  func sharedIndex() {
    let elements = (0..<500).map { Todo(id: $0) }
    let list = Todos(uniqueElements: elements)
    let other = IdentifiedArray(uniqueElements: elements, id: \.id)
    expectEqual(list, other)
    expectEqual(list.ids, other.ids)
    for id in [0, 250, 499] {
      expectEqual(list.ids.firstIndex(of: id), id)
      expectEqual(other.ids.firstIndex(of: id), id)
    }
  }

  @Test("A change in place that changes the ID stops the program, whatever the path")
  func changedIDs() async {
    await #expect(processExitsWith: .failure) {
      var list = IdentifiedArray(uniqueElements: [Row(1), Row(2)])
      list[0].place.row = 3
    }
    await #expect(processExitsWith: .failure) {
      var list = IdentifiedArray(uniqueElements: [Row(1), Row(2)], id: \.place.row)
      list[id: 1]?.place.row = 3
    }
    await #expect(processExitsWith: .failure) {
      var list = IdentifiedArray(uniqueElements: [Row(1), Row(2)], id: \.code)
      list[0].place.row = 3
    }
    await #expect(processExitsWith: .success) {
      var list = IdentifiedArray(uniqueElements: [Row(1, "a"), Row(2, "b")], id: \.title)
      list.remove(at: 0)
      list[0].place.row = 3
    }
  }
}

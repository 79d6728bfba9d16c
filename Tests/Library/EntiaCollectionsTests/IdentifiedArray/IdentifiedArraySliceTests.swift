import EntiaTestSupport
import Testing

@testable import EntiaCollections

@Suite("IdentifiedArray: changes of slices")
struct IdentifiedArraySliceTests {
  @Test("Slices are joined with all their elements, also with those outside of one of them")
  func joined() {
    let list = todos(0, 1, 2, 3, 4)
    expectEqual((list.prefix(2) + list.suffix(2)).map(\.id), [0, 1, 3, 4])
    var slice = list[0..<2]
    slice.append(list[4])
    expectTrue(slice.map(\.id) == [0, 1, 4] && slice.array.ids == [0, 1, 4])
    expectTrue(slice.indices == 0..<3 && list.count == 5)
    slice += list[1...2]
    // An element whose ID the slice contains replaces the one there, as it does in an array.
    expectEqual(slice.map(\.id), [0, 1, 4, 2])
    var last = list[3...]
    last.removeSubrange(3..<4)
    expectTrue(last.startIndex == 3 && last[3].id == 4 && last.array.ids == [4])
    last[3] = list[0]
    expectTrue(last.map(\.id) == [0] && list.ids == [0, 1, 2, 3, 4])
  }

  @Test("Slices with equal elements are equal and have one hash, wherever they are")
  func equality() {
    let list = todos(1, 2, 3)
    let moved = todos(0, 1, 2, 3)
    expectEqual(list[...], moved[1...])
    expectEqual(Set([list[1...], moved[2...]]).count, 1)
    expectTrue(list[...1] != list[1...])
    expectEqual(list[1...].description, "[2t2, 3t3]")
    expectEqual(list[1...].debugDescription, "IdentifiedArraySlice<Todo>([2t2, 3t3])")
    expectEqual(Mirror(reflecting: list[1...]).children.map { ($0.value as? Todo)?.id }, [2, 3])
  }

  @Test("A slice of an array with a key path of its own keeps the path")
  func keyPath() {
    struct Named: Identifiable, Equatable {
      let id: String
      let name: String
    }
    let list = IdentifiedArray(["x", "y", "z"].map { Named(id: "1", name: $0) }, id: \.name)
    var slice = list[0..<3]
    expectEqual(slice.filter { $0.name != "y" }.map(\.name), ["x", "z"])
    slice.removeAll { $0.name == "x" }
    expectEqual(slice.map(\.name), ["y", "z"])
    slice.removeAll()
    slice.append(list[0])
    slice += list[1...]
    expectEqual(slice.map(\.name), ["x", "y", "z"])
    expectEqual((list[...1] + list[2...]).map(\.name), ["x", "y", "z"])
    var end = list[1...]
    end.removeAll(keepingCapacity: true)
    expectTrue(end.isEmpty && end.startIndex == 1)
    end.append(list[2])
    expectTrue(end[1].name == "z" && end.indices == 1..<2)
  }

  @Test("NaN equals itself in slices, as in arrays")
  func notANumber() {
    struct Value: Identifiable, Hashable {
      let id: Int
      var value: Double
    }
    let list = IdentifiedArray(uniqueElements: [Value(id: 1, value: .nan)], id: \.id)
    let other = IdentifiedArray(uniqueElements: [Value(id: 1, value: .nan)], id: \.id)
    expectTrue(list == other && list[...] == other[...] && list[...] == list[...])
  }

  @Test("A slice from which elements are removed between changes is not copied each time")
  func narrowing() {
    let count = 1_000
    let list = Todos(uniqueElements: (0..<count).map { Todo(id: $0, title: "") })
    for step in 0..<3 {
      let work = TableWork.counting {
        var slice = list[...]
        for number in 0..<count {
          switch step {
          case 0:
            slice[slice.startIndex].title = "new"
            slice.removeFirst()
          case 1:
            slice[slice.endIndex - 1].title = "new"
            slice.removeLast()
          default:
            slice.append(Todo(id: count + number, title: "new"))
            slice = slice.dropFirst()
          }
        }
        expectEqual(slice.count, step == 2 ? count : 0)
        expectTrue(slice.allSatisfy { $0.title == "new" })
      }
      #expect(work.visitedNodes < count, "\(step)")
    }
  }

  @Test(
    "A changed slice has the elements of an array that is changed alike, and the base stays",
    arguments: 1...UInt64(scaled(13)), [true, false])
  func history(seed: UInt64, isShared: Bool) {
    var random = SplitMix(seed: seed)
    let count = Int.random(in: 1...200, using: &random)
    let base = Todos(uniqueElements: (0..<count).map { Todo(id: $0, title: "\($0)") })
    let start = Int.random(in: 0...count, using: &random)
    let end = Int.random(in: start...count, using: &random)
    var slice = base[start..<end]
    var model = Todos(base[start..<end])
    var copies: [(slice: Todos.SubSequence, expected: [Todo])] = []
    for step in 0..<60 {
      if isShared, step % 4 == 0 { copies.append((slice, slice.map { $0 })) }
      let first = Int.random(in: 0...model.count, using: &random)
      let last = Int.random(in: first...model.count, using: &random)
      let (from, to) = (slice.startIndex + first, slice.startIndex + last)
      let new = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
        Todo(id: Int.random(in: 0..<(count + 40), using: &random), title: "\(step)")
      }
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        slice.replaceSubrange(from..<to, with: new)
        model.replaceSubrange(first..<last, with: new)
      case 1:
        slice.append(contentsOf: new)
        model.replaceSubrange(model.count..<model.count, with: new)
      case 2 where first < last:
        slice[from].title += "!"
        model[first].title += "!"
      case 3 where first < last && !new.isEmpty:
        slice[from] = new[0]
        model[first] = new[0]
      case 4 where first < last:
        slice[from..<to].sort { $0.title > $1.title }
        model[first..<last].sort { $0.title > $1.title }
      case 5 where first < last:
        slice = slice[from...]
        model.removeSubrange(0..<first)
      default: break
      }
      expectTrue(slice.elementsEqual(model), "seed \(seed), step \(step)")
      expectEqual(slice.reversed().map(\.id), model.ids.elements.reversed(), "seed \(seed)")
      expectEqual(slice.indices.map { slice[$0].id }, model.ids.elements, "seed \(seed)")
      expectEqual(Todos(slice).ids, model.ids, "seed \(seed)")
    }
    expectEqual(base.elements, (0..<count).map { Todo(id: $0, title: "\($0)") })
    for copy in copies { expectTrue(copy.slice.elementsEqual(copy.expected), "seed \(seed)") }
  }
}

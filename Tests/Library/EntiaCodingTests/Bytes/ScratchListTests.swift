import EntiaTestSupport
import Testing

@testable import EntiaCoding

@Suite("The elements of a scratch list are those of an array, and each is released once")
struct ScratchListTests {
  @Test(arguments: [0, 1, 3, 4, 5, 63, 64, 65, 1_000])
  func list(count: Int) {
    let released = CountedElement.Releases()
    do {
      var list = ScratchList<CountedElement>(capacity: 4)
      for value in 0..<count { list.append(CountedElement(value, released)) }
      expectEqual(list.elements.map(\.value), Array(0..<count))
      expectEqual(list.elements(from: count / 2).map(\.value), Array(count / 2..<count))
      expectEqual(list.elements(in: 0..<count / 2).map(\.value), Array(0..<count / 2))
      expectEqual(released.count, 0)

      if count > 0 {
        list[0] = CountedElement(-1, released)
        let (first, last) = (list[0].value, list.removeLast().value)
        expectTrue(first == -1 && last == (count == 1 ? -1 : count - 1))
      }
      expectEqual(released.count, 2 * min(count, 1))
      list.removeAll(from: count / 2)
      let left = list.count
      expectEqual(left, count / 2)
      list.removeAll()
      expectEqual(released.count, count + min(count, 1))
      list.append(CountedElement(0, released))
    }
    expectEqual(released.count, count + min(count, 1) + 1)
  }

  @Test func `bytes of every short length are appended whole, behind and before others`() {
    let source = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
    for count in 0..<80 {
      for start in 0..<9 {
        var list = ScratchList<UInt8>(capacity: 1)
        for byte in source[..<start] { list.append(byte) }
        source.withUnsafeBufferPointer {
          list.append(contentsOf: UnsafeBufferPointer(rebasing: $0[start..<start + count]))
        }
        list.append(source[start + count])
        expectTrue(list.elements.elementsEqual(source[...(start + count)]))
      }
    }
    var list = ScratchList<UInt8>()
    list.append(contentsOf: UnsafeBufferPointer(start: nil, count: 0))
    expectTrue(list.elements.isEmpty)
  }
}

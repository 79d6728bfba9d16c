import EntiaTestSupport
import Testing

@testable import EntiaJSON

@Suite("Staged lists are those of an array, and each element is released once")
struct StagingBufferTests {
  @Test(arguments: [0, 1, 15, 16, 17, 4_095, 4_096, 4_097, 20_000])
  func list(count: Int) {
    let released = CountedElement.Releases()
    do {
      var buffer = StagingBuffer<CountedElement>()
      for value in 0..<count { buffer.append(CountedElement(value, released)) }
      expectEqual(buffer.indices, 0..<count)
      let isSame = buffer.indices.allSatisfy { buffer[$0].value == $0 }
      expectTrue(isSame)
      if count > 0 { buffer[count / 2] = CountedElement(-1, released) }
      expectEqual(released.count, min(count, 1))

      var sum = 0
      var taken = buffer.takeAll()
      expectEqual(taken.underestimatedCount, count)
      while let element = taken.next() { sum += element.move().value }
      let end = taken.next()
      expectNil(end)
      expectEqual(sum, count * (count - 1) / 2 - (count > 0 ? count / 2 + 1 : 0))
      expectEqual(released.count, count + min(count, 1))
      expectTrue(buffer.indices.isEmpty)

      for value in 0..<count { buffer.append(CountedElement(value, released)) }
      let last = count == 0 ? nil : buffer[count - 1].value
      expectEqual(last, count == 0 ? nil : count - 1)
      buffer.removeAll()
      expectEqual(released.count, 2 * count + min(count, 1))
    }
    expectEqual(released.count, 2 * count + min(count, 1))
  }

  @Test func `the parts of an origin are independent`() {
    for file in [-1, 0, 3, 1_000_000] {
      for members in [Origin.Members.direct, .fields, .resource] {
        let origin = Origin(file: file, offset: 1 << 40, members: members)
        #expect((origin.file, origin.offset, origin.members) == (file, 1 << 40, members))
      }
    }
  }
}

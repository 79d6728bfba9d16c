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
      #expect(buffer.indices == 0..<count)
      let isSame = buffer.indices.allSatisfy { buffer[$0].value == $0 }
      #expect(isSame)
      if count > 0 { buffer[count / 2] = CountedElement(-1, released) }
      #expect(released.count == min(count, 1))

      var sum = 0
      buffer.removeAll { sum += $0.value }
      #expect(sum == count * (count - 1) / 2 - (count > 0 ? count / 2 + 1 : 0))
      #expect(released.count == count + min(count, 1))
      #expect(buffer.indices.isEmpty)

      for value in 0..<count { buffer.append(CountedElement(value, released)) }
      let last = count == 0 ? nil : buffer[count - 1].value
      #expect(last == (count == 0 ? nil : count - 1))
    }
    #expect(released.count == 2 * count + min(count, 1))
  }

  @Test func `a staged row is small, and its parts are independent`() {
    #expect(MemoryLayout<StagedRow>.stride == 32)
    var row = StagedRow(id: RecordID(entity: "posts", key: .string("p1")))
    #expect(row.table == -1 && !row.isChanged && !row.isRoot)
    for (table, isChanged, isRoot) in [
      (Int32(0), true, false), (7, false, true), (1 << 28, true, true), (-1, false, false),
    ] {
      row.isChanged = isChanged
      row.table = table
      row.isRoot = isRoot
      #expect((row.table, row.isChanged, row.isRoot) == (table, isChanged, isRoot))
    }
    for (file, hasFields) in [(-1, false), (0, true), (1_000_000, false), (3, true)] {
      var origin = Origin(file: file, offset: 1 << 40, hasFields: hasFields)
      #expect((origin.file, origin.offset, origin.hasFields) == (file, 1 << 40, hasFields))
      origin.hasFields.toggle()
      #expect(origin.file == file && origin.hasFields != hasFields)
    }
  }
}

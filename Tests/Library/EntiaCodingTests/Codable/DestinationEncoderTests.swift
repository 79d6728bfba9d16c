import EntiaCoding
import EntiaTestSupport
import Testing

/// Records how one value arrives.
private final class Recorder: EncodingDestination {
  private(set) var calls: [String] = []

  var codingPath: [any CodingKey] { [] }
  var count: Int { 0 }

  func encodeNil() { calls.append("nil") }
  func encode<Value: Encodable>(_ value: Value) throws {
    calls.append("\(Value.self)")
    // An array has no form here.
    if value is [Int] { try value.encode(to: DestinationEncoder(self)) }
  }
  func encodeInteger(_ value: some FixedWidthInteger & Encodable) {
    calls.append("integer \(value)")
  }
  func beginObject() { calls.append("object") }
  func beginArray() { calls.append("array") }
  func member(_ key: any CodingKey) -> Recorder { self }
  func element() -> Recorder { self }
}

@Suite("The encoder of all formats")
struct DestinationEncoderTests {
  private func calls(_ value: some Encodable) throws -> [String] {
    let recorder = Recorder()
    try value.encode(to: DestinationEncoder(recorder))
    return recorder.calls
  }

  @Test("Integers of every width arrive as integers, other values by their types")
  func scalars() throws {
    try expectEqual(calls(Int8.min), ["integer -128"])
    try expectEqual(calls(UInt64.max), ["integer 18446744073709551615"])
    try expectEqual(calls(Int(1)), ["integer 1"])
    try expectEqual(calls("a"), ["String"])
    try expectEqual(calls(1.5), ["Double"])
    try expectEqual(calls(Float(1.5)), ["Float"])
    try expectEqual(calls(true), ["Bool"])
    try expectEqual(calls(Int?.none), ["nil"])
    try expectEqual(calls([1, 2]), ["array", "Int", "Int"])
  }
}

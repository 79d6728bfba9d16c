import EntiaCoding
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
    #expect(try calls(Int8.min) == ["integer -128"])
    #expect(try calls(UInt64.max) == ["integer 18446744073709551615"])
    #expect(try calls(Int(1)) == ["integer 1"])
    #expect(try calls("a") == ["String"])
    #expect(try calls(1.5) == ["Double"])
    #expect(try calls(Float(1.5)) == ["Float"])
    #expect(try calls(true) == ["Bool"])
    #expect(try calls(Int?.none) == ["nil"])
    #expect(try calls([1, 2]) == ["array", "Int", "Int"])
  }
}

import Foundation

/// A small generator whose runs a seed replays.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// How many times as much is tried as by default, from `ENTIA_TEST_SCALE`.
let testScale =
  ProcessInfo.processInfo.environment["ENTIA_TEST_SCALE"].flatMap { Int($0) }.map { max(1, $0) }
  ?? 1

extension Array where Element == UInt8 {
  /// A damaged copy: cut off, with bytes changed, removed, doubled or swapped.
  func damaged(_ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = self
    for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
      let index = Int.random(in: bytes.indices, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes.removeSubrange(index...)
      case 1: bytes[index] = UInt8.random(in: 0...255, using: &generator)
      case 2: bytes.remove(at: index)
      case 3: bytes.insert(contentsOf: bytes[index...].prefix(20), at: index)
      case 4: bytes.swapAt(index, Int.random(in: bytes.indices, using: &generator))
      default:
        bytes[index] = Array("(){}[]<>\"#/\\@:;,.=&?!`".utf8).randomElement(using: &generator) ?? 0
      }
    }
    return bytes
  }
}

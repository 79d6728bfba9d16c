import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCollections

@Suite("Hashing of strings")
struct HashMixingTests {
  /// Equal by canonical equivalence, and all different in their bytes.
  static let equals: [(String, String)] = [
    ("K", "\u{212A}"), ("a;b", "a\u{037E}b"), ("`", "\u{1FEF}"),
    ("\u{E9}t\u{E9}", "e\u{301}te\u{301}"), ("\u{212B}", "\u{C5}"),
    ("\u{37E}\u{E9}", ";e\u{301}"),
  ]

  @Test("Strings that are equal have one hash, whatever their bytes")
  func equalStringsHashAlike() {
    for (a, b) in Self.equals {
      expectTrue(a == b && Array(a.utf8) != Array(b.utf8))
      expectEqual(HashMixing.hash(a), HashMixing.hash(b), "\(a)")
    }
  }

  @Test("Only three scalars of the basic plane are equal to ASCII text and are none")
  func scalarsThatNormalizeToASCII() {
    let ascii = Set((0..<128).map { String(UnicodeScalar(UInt8($0))) })
    let found = (UInt32(128)...0xFFFF).compactMap(UnicodeScalar.init).filter {
      ascii.contains(String($0))
    }
    expectEqual(found.map(\.value), [0x37E, 0x1FEF, 0x212A])
  }

  @Test("A substring's string and a built one hash as the literal does")
  func storageDoesNotMatter() {
    let long = "a string that does not fit into two words"
    let built = long.map(String.init).joined()
    expectEqual(HashMixing.hash(String(("x" + long).dropFirst())), HashMixing.hash(long))
    expectEqual(HashMixing.hash(built), HashMixing.hash(long))
    expectEqual(HashMixing.hashSlowly(long, seed: HashMixing.seed), HashMixing.hash(long))
  }
}

@Suite("Hashing of integers and UUIDs")
struct PlainHashMixingTests {
  @Test("Every fixed-width integer and UUIDs are mixed without their standard hash")
  func types() {
    checkInteger(Int.self)
    checkInteger(UInt.self)
    checkInteger(Int64.self)
    checkInteger(UInt64.self)
    checkInteger(Int32.self)
    checkInteger(UInt32.self)
    checkInteger(Int16.self)
    checkInteger(UInt16.self)
    checkInteger(Int8.self)
    checkInteger(UInt8.self)
    var random = SplitMix(seed: 4)
    var hashes: Set<UInt64> = []
    for count in 1...1_000 {
      let words = (random.next(), UInt64(count))
      let id = UUID(uuid: unsafeBitCast(words, to: uuid_t.self))
      let hash = HashMixing.hashIfPlain(id, seed: 7)
      expectTrue(hash != nil)
      expectEqual(IdentifiedKey(id).tableHash(seed: 7), hash)
      expectEqual(
        UUID(uuidString: id.uuidString).flatMap { HashMixing.hashIfPlain($0, seed: 7) }, hash)
      hashes.insert(hash ?? 0)
      // UUIDs that differ in one half only.
      hashes.insert(HashMixing.hashIfPlain(uuid(words.0, 0), seed: 7) ?? 0)
      hashes.insert(HashMixing.hashIfPlain(uuid(0, words.0), seed: 7) ?? 0)
    }
    expectEqual(hashes.count, 3_000)
    expectNil(HashMixing.hashIfPlain("text", seed: 7))
    expectNil(HashMixing.hashIfPlain(1.5, seed: 7))
    expectNil(HashMixing.hashIfPlain(Optional(1), seed: 7))
  }

  private func uuid(_ first: UInt64, _ second: UInt64) -> UUID {
    UUID(uuid: unsafeBitCast((first, second), to: uuid_t.self))
  }

  private func checkInteger<Integer: FixedWidthInteger & Sendable>(_: Integer.Type) {
    for value in [Integer.min, 0, 1, Integer.max] {
      let hash = HashMixing.hash(UInt64(truncatingIfNeeded: value), seed: 7)
      expectEqual(HashMixing.hashIfPlain(value, seed: 7), hash, "\(Integer.self) \(value)")
      expectEqual(IdentifiedKey(value).tableHash(seed: 7), hash, "\(Integer.self) \(value)")
    }
  }
}

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
      #expect(a == b && Array(a.utf8) != Array(b.utf8))
      #expect(HashMixing.hash(a) == HashMixing.hash(b), "\(a)")
    }
  }

  @Test("Only three scalars of the basic plane are equal to ASCII text and are none")
  func scalarsThatNormalizeToASCII() {
    let ascii = Set((0..<128).map { String(UnicodeScalar(UInt8($0))) })
    let found = (UInt32(128)...0xFFFF).compactMap(UnicodeScalar.init).filter {
      ascii.contains(String($0))
    }
    #expect(found.map(\.value) == [0x37E, 0x1FEF, 0x212A])
  }

  @Test("A substring's string and a built one hash as the literal does")
  func storageDoesNotMatter() {
    let long = "a string that does not fit into two words"
    let built = long.map(String.init).joined()
    #expect(HashMixing.hash(String(("x" + long).dropFirst())) == HashMixing.hash(long))
    #expect(HashMixing.hash(built) == HashMixing.hash(long))
    #expect(HashMixing.hashSlowly(long, seed: HashMixing.seed) == HashMixing.hash(long))
  }
}

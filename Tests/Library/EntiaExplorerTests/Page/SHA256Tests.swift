import EntiaTestSupport
import Testing

@testable import EntiaExplorer

@Suite("SHA-256")
struct SHA256Tests {
  private func hex(_ bytes: [UInt8]) -> String {
    SHA256.hash(bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  @Test(
    "The hashes of the standard's messages",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
          + "lmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
    ])
  func standard(message: String, hash: String) {
    expectEqual(hex(Array(message.utf8)), hash)
  }

  @Test("A thousand letters a")
  func long() {
    expectEqual(
      hex([UInt8](repeating: UInt8(ascii: "a"), count: 1000)),
      "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3")
  }
}

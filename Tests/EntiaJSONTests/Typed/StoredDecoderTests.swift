import Entia
import EntiaJSON
import Testing

/// A row that stores the decoder that it was read from.
struct DecoderKeeper: EntityType, Identifiable, Decodable {
  // Only the one test uses it, in a process of its own.
  nonisolated(unsafe) static var decoders: [any Decoder] = []

  let id: Int

  init(from decoder: any Decoder) throws {
    id = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
    Self.decoders.append(decoder)
  }

  private enum CodingKeys: CodingKey { case id }
}

@NormalizedStorage
struct KeeperStorage {
  @Table var keepers: Tables.Hash<DecoderKeeper> = .init()
}

@Suite("Decoders that a type stores")
struct StoredDecoderTests {
  @Test("A decoder that is used after its import stops the process, and reads no released memory")
  func afterImport() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var storage = KeeperStorage()
      try storage.importJSON(source(#"[{"id": 1}, {"id": 2}]"#), of: DecoderKeeper.self)
      precondition(storage.keepers.count == 2)
      _ = try DecoderKeeper.decoders[1].singleValueContainer().decode(Int.self)
    }
    let message = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(message.contains("A decoder was used after its value was read"), "\(message)")
  }
}

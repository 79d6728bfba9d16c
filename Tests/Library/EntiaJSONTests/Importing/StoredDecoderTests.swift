import Entia
import EntiaJSON
import EntiaTestSupport
import Testing

/// A row that stores the decoder that it was read from.
struct DecoderKeeper: EntityType, Identifiable, Decodable {
  // Only the one test uses it.
  nonisolated(unsafe) static var decoders: [any Decoder] = []
  nonisolated(unsafe) static var readID: (() throws -> Int)?

  let id: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(Int.self, forKey: .id)
    Self.readID = { try container.decode(Int.self, forKey: .id) }
    Self.decoders.append(decoder)
  }

  private enum CodingKeys: CodingKey { case id }
}

/// A row that stores the containers that it was written to.
struct ContainerKeeper: EntityType, Identifiable, Codable {
  // Only the one test uses it.
  nonisolated(unsafe) static var write: (() throws -> Void)?

  let id: Int
  var names = ["a"]

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    var names = container.nestedUnkeyedContainer(forKey: .names)
    try names.encode("a")
    try container.encode(id, forKey: .id)
    Self.write = {
      try names.encode("late")
      try container.encode(7, forKey: .id)
      var other = encoder.unkeyedContainer()
      try other.encode(8)
    }
  }
}

@NormalizedStorage
struct ContainerStorage {
  @Table var keepers: Tables.Hash<ContainerKeeper> = .init()
}

@NormalizedStorage
struct KeeperStorage {
  @Table var keepers: Tables.Hash<DecoderKeeper> = .init()
}

@Suite("Coders that a type stores")
struct StoredDecoderTests {
  @Test("Writing to a container after its export changes nothing that was written")
  func storedContainers() throws {
    var storage = ContainerStorage()
    storage.performBatchUpdates { $0.modifying.keepers.insert(ContainerKeeper(id: 1)) }
    let bytes = try storage.exportJSON(ContainerKeeper.self)
    let write = try #require(ContainerKeeper.write)
    try write()
    try expectEqual(storage.exportJSON(ContainerKeeper.self), bytes)
  }

  @Test("A decoder or container that is used after its import throws")
  func afterImport() throws {
    do {
      var storage = KeeperStorage()
      try storage.importJSON(source(#"[{"id": 1}, {"id": 2}]"#), of: DecoderKeeper.self)
      expectEqual(storage.keepers.count, 2)
    }
    let decoder = DecoderKeeper.decoders[1]
    DecoderKeeper.decoders = []
    for read in [
      try #require(DecoderKeeper.readID),
      { try decoder.singleValueContainer().decode(Int.self) },
      { try decoder.singleValueContainer().decode([String: Int].self).count },
      { try decoder.unkeyedContainer().count ?? 0 },
      { try decoder.container(keyedBy: OtherKeys.self).decode(Int.self, forKey: .id) },
      {
        try decoder.container(keyedBy: OtherKeys.self).decodeIfPresent(Int.self, forKey: .id) ?? 0
      },
      { Int(try decoder.singleValueContainer().decode(String.self)) ?? 0 },
    ] {
      let error = #expect(throws: DecodingError.self) { try read() }
      expectTrue("\(try #require(error))".contains("the decoder is used after the value was read"))
    }
    expectTrue(decoder.codingPath.isEmpty)
  }

  private enum OtherKeys: CodingKey { case id }
}

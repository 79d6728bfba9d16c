import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Files with one changed byte")
struct FlippedByteTests {
  /// Several tables with texts, integers, floating-point numbers and JSON, and held IDs.
  private static func shop(_ random: inout SeededGenerator) -> Shop {
    var shop = Shop()
    shop.performBatchUpdates { context in
      for id in 0..<60 {
        let note: Note.EntityID? = random.oneIn(3) ? nil : Note.EntityID("n\(id)")
        context.modifying.items.insert(Item(id: id * 7, name: "name \(id)", noteID: note))
        context.modifying.notes.insert(
          Note(
            id: "n\(id)", text: String(repeating: "text \(id) ", count: random.number(in: 0..<9)),
            rank: Double(id) / 3, stars: random.oneIn(2) ? nil : id, labels: ["a", "\(id)"]))
        if random.oneIn(3) {
          context.modifying.tags.insert(Tag(row: id, column: Double(id) / 2, color: "red"))
        }
        if random.oneIn(3) { context.modifying.pins.insert(Item.EntityID(id * 7), at: 0) }
        if random.oneIn(3) { context.modifying.marks.insert(Note.EntityID("n\(id)")) }
      }
    }
    return shop
  }

  private static func samples(
    _ random: inout SeededGenerator
  ) throws -> Samples<CodableSample> {
    var samples = Samples<CodableSample>()
    samples.performBatchUpdates { context in
      for id in 0..<12 {
        context.modifying.samples.insert(
          CodableSample(SampleMembers(id: "s\(id)", &random)))
      }
    }
    return samples
  }

  private func load(_ path: String) throws -> (shop: Shop, samples: [StoredValue]) {
    let file = try DatabaseFile<Shop>(path: path, configuration: .init(isReadOnly: true))
    let other = try DatabaseFile<Samples<CodableSample>>(named: "other", in: file)
    let samples = try other.load()
    // The forms of the members, because a NaN differs from itself.
    let encoder = RowEncoder()
    var forms: [StoredValue] = []
    for sample in samples.samples.sorted(by: { $0.id < $1.id }) {
      try encoder.encode(sample.members)
      forms += encoder.cells
    }
    let shop = try file.load()
    try file.close()
    return (shop, forms)
  }

  @Test(
    """
    Law 35: after any byte of a file has changed, the load fails or returns what was saved
    """,
    arguments: LawRuns(count: 1).seeds)
  func flipped(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let path = folder.file()
    var shop = Self.shop(&random)
    let file = try DatabaseFile<Shop>(path: path)
    let other = try DatabaseFile<Samples<CodableSample>>(named: "other", in: file)
    try file.save(shop)
    try other.save(try Self.samples(&random))
    for _ in 0..<5 {
      try shop.change(ids: 60, &random)
      try file.save(shop)
    }
    try file.close()
    let expected = try load(path)
    let image = shop.image
    expectTrue(expected.shop == shop && expected.shop.image == image)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let flips = scaled(170)
    var (errors, unchanged) = (0, 0)
    for flip in 0..<flips {
      // Spread over all pages.
      let start = bytes.count * flip / flips
      let place = start + random.number(in: 0..<max(1, bytes.count * (flip + 1) / flips - start))
      let change = UInt8(random.number(in: 1..<256))
      var damaged = bytes
      damaged[place] ^= change
      let copy = folder.file("damaged.sqlite")
      try damaged.write(to: URL(fileURLWithPath: copy))
      do {
        let found = try load(copy)
        unchanged += 1
        expectTrue(
          found.shop.image == image && found.samples == expected.samples,
          "seed \(seed): byte \(place) of page \(place / 4_096 + 1) ^ \(change)")
      } catch is DatabaseFileError {
        errors += 1
      }
    }
    #expect(errors > flips / 8, "\(errors) errors, \(unchanged) without")
    print("\(flips) changed bytes: \(errors) errors, \(unchanged) loads of what was saved")
  }
}

import EntiaDatabase
import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("Output that grows with the depth")
struct FanOutTests {
  /// Rows that all name one another.
  private func clique(_ count: Int = 12) throws -> RecordDatabase {
    let ids = (0..<count).map(String.init).joined(separator: ",")
    let rows = (0..<count).map { "{\"id\":\($0),\"all\":[\(ids)]}" }.joined(separator: ",")
    let schema = Schema([
      Schema.Entity("n", relationships: [Schema.Relationship("all", to: "n", isMany: true)])
    ])
    let options = ImportOptions(format: .nested, schema: schema, root: "n")
    return try #require(importing(["[\(rows)]"], options).database)
  }

  @Test("output over the limit is a failure with the fan-out, in bounded memory")
  func limits() throws {
    let database = try clique()
    let result = database.denormalized(entity: "n", depth: 11, maximumBytes: 300_000)
    guard case .failure(let problem) = result, case .tooLarge(_, let fanOut) = problem else {
      Issue.record("\(result)")
      return
    }
    expectTrue(fanOut.rows == 12 && fanOut.written == 0 && fanOut.widest == 12)
    expectEqual(fanOut.nested.count, 11)
    expectTrue(
      problem.description.hasPrefix(
        "the output is longer than 300000 bytes: 0 of 12 rows are written; nested rows by depth: 1, "
      ))
    expectTrue(
      problem.description.hasSuffix(
        "\"all\" of n 0 alone refers to 12; use a smaller --depth, choose rows with --id, or raise "
          + "--max-bytes"))
    var bytes = 0
    var longest = 0
    let written = database.denormalize(entity: "n", depth: 11, maximumBytes: 1_000_000) {
      bytes += $0.count
      longest = max(longest, $0.count)
    }
    #expect(throws: DenormalizeProblem.self) { try written.get() }
    expectTrue(bytes > 600_000 && bytes <= 1_000_000 && longest < 300_000)
  }

  @Test("the pieces form the whole, and the limit is the length of the whole")
  func pieces() throws {
    let database = try clique(11)
    guard case .success(let whole) = database.denormalized(entity: "n", depth: 3) else {
      Issue.record("too long")
      return
    }
    var pieces: [[UInt8]] = []
    let written = database.denormalize(entity: "n", depth: 3, maximumBytes: whole.count) {
      pieces.append($0)
    }
    try written.get()
    expectTrue(pieces.count > 1 && Array(pieces.joined()) == whole)
    for limit in [whole.count - 1, whole.count - 2, 0] {
      let result = database.denormalized(entity: "n", depth: 3, maximumBytes: limit)
      #expect(throws: DenormalizeProblem.self) { try result.get() }
    }
  }

  @Test("an error of the closure is rethrown")
  func failing() throws {
    struct Full: Error {}
    let database = try clique()
    #expect(throws: Full.self) {
      _ = try database.denormalize(entity: "n", depth: 5) { (_) throws(Full) in throw Full() }
    }
  }

  private struct Node: EntityType, Identifiable, Codable {
    let id: Int
    var all: [EntityID]
  }

  private struct Nodes: NormalizedStorageType {
    struct Contents: StorageContents {
      var nodes = Tables.Hash<Node>()
      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self { visitor.table("nodes", \.nodes) }
    }
    typealias Refusal = any Error
    var snapshot = Snapshot(Contents())
  }

  @Test("an export of Swift types has the same limit, and comes in pieces")
  func typed() throws {
    var nodes = Nodes()
    try nodes.performBatchUpdates { batch in
      for id in 0..<11 {
        _ = batch.modifying.nodes.insert(Node(id: id, all: (0..<11).map { Node.EntityID($0) }))
      }
    }
    let error = #expect(throws: DenormalizeProblem.self) {
      try nodes.exportJSON(Node.self, depth: 10, maximumBytes: 300_000)
    }
    guard case .tooLarge(let limit, let fanOut) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    expectTrue(limit == 300_000 && fanOut.rows == 11 && fanOut.nested.count == 10)
    var pieces: [[UInt8]] = []
    try nodes.exportJSON(Node.self, depth: 3) { pieces.append($0) }
    #expect(pieces.count > 1)
    try expectEqual(Array(pieces.joined()), nodes.exportJSON(Node.self, depth: 3))
  }
}

import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaStore

/// Queries over one hop of a relationship.
@Suite("Queries that join")
struct JoinedQueryTests {
  /// In these, a row is removed and inserted again with the same value, and leaves the result
  /// because a related row changed.
  static let regressionSeeds: Set = [47, 53]

  @Test(
    "Law 20: a query that joins equals its recomputation after every step",
    arguments: Set(0..<scaled(4)).union(regressionSeeds).sorted())
  func recomputation(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let store = Store<_, Never>(initialState: PressState())
    let books = Self.books.map { store.query($0, in: \.press) }
    let writers = Self.writers.map { store.query($0, in: \.press) }
    var lists = Self.books.map { _ in [Volume]() }
    let received = Self.books.map { _ in Recorder<QueryDifference<Volume>>() }
    var read = Self.books.map { _ in 0 }
    let subscriptions = zip(books, received).map { query, received in
      query.sinkDifferences(queue: .passthrough) { received.record($0) }
    }
    for step in 0..<120 {
      try store.commit { try Self.edit(&$0.press, &random) }
      let press = store.state.press
      for (number, descriptor) in Self.books.enumerated() {
        let expected = press.fetch(descriptor)
        for difference in received[number].elements.dropFirst(read[number]) {
          lists[number] = QueryTests.applying(difference, to: lists[number])
        }
        read[number] = received[number].count
        let place = "seed \(seed), step \(step), books \(number)"
        try #require(lists[number] == expected, "\(place): by differences")
        try #require(books[number].value == expected, "\(place): read")
      }
      for (number, descriptor) in Self.writers.enumerated()
      where number == 0 || step.isMultiple(of: 5) {
        let expected = press.fetch(descriptor)
        try #require(
          writers[number].value == expected, "seed \(seed), step \(step), writers \(number)")
      }
    }
    withExtendedLifetime(subscriptions) {}
  }

  @Test("The results of a query as a sequence, and their number")
  func states() async throws {
    let store = Store<_, Never>(initialState: PressState())
    let query = store.query(
      FetchDescriptor<Volume>(predicate: #Predicate { $0.pages > 2 }), in: \.press)
    var iterator = query.states.makeAsyncIterator()
    await expectEqual(iterator.next(), [])
    try store.commit { state in
      try state.press.performBatchUpdates { context in
        context.modifying.books.insert([
          Volume(id: 1, writerID: 1, pages: 3), Volume(id: 2, writerID: 1, pages: 1),
        ])
      }
    }
    await expectEqual(iterator.next()?.map(\.id), [1])
    expectEqual(query.value.count, 1)
  }

  @Test("Law 22: a change of a related row evaluates the rows that refer to it, without a fetch")
  func work() throws {
    var state = PressState()
    try state.press.performBatchUpdates { context in
      for id in 0..<50 {
        context.modifying.writers.insert(Writer(id: id, rank: id))
        for number in 0..<10 {
          context.modifying.books.insert(
            Volume(id: 10 * id + number, writerID: Writer.EntityID(id)))
        }
      }
    }
    let store = Store<_, Never>(initialState: state)
    let core = LiveQuerySource<PressState, Press, Volume>(
      store.core.broadcaster, store.core.detector(at: \.press), \.press, Self.books[0],
      rows: DifferingRows(Press.self, Volume.self))
    func value() -> [Volume] {
      core.value(at: SourceVersion(current: store.core.broadcaster.current)).value
    }
    expectEqual(value().count, 470)
    let before = core.work
    try store.commit { state in
      try state.press.performBatchUpdates { context in
        _ = context.modifying.writers.updateIfExists(id: 7) { $0.rank = 0 }
      }
    }
    expectEqual(value().count, 460)
    expectEqual(core.work.fetches, before.fetches)
    // Ten books, each as it was and as it is.
    expectEqual(core.work.rowsExamined - before.rowsExamined, 20)
  }

  private static let books: [FetchDescriptor<Volume>] = [
    FetchDescriptor().joining(\Press.Contents.bookWriter, #Predicate { $0.rank > 2 }),
    FetchDescriptor(sortBy: [SortDescriptor(\.pages)], fetchLimit: 3)
      .joining(\Press.Contents.bookWriter, #Predicate { $0.rank > 2 }),
    FetchDescriptor(
      predicate: #Predicate { $0.pages > 1 }, sortBy: [SortDescriptor(\.pages, order: .reverse)],
      fetchLimit: 4, fetchOffset: 1
    ).joining(\Press.Contents.bookWriter, #Predicate { $0.rank < 4 }),
    FetchDescriptor(predicate: #Predicate { $0.pages > 1 })
      .joining(\Press.Contents.bookWriter, #Predicate { $0.rank > 2 }, matching: .none),
    FetchDescriptor(sortBy: [SortDescriptor(\.pages)])
      .joining(
        \Press.Contents.bookWriter,
        FetchDescriptor().joining(inverse: \Press.Contents.bookWriter, #Predicate { $0.pages > 4 })
      ),
    FetchDescriptor(sortBy: [SortDescriptor(\.pages)], fetchLimit: 4)
      .sorted(by: \Press.Contents.bookWriter, SortDescriptor(\.rank, order: .reverse)),
  ]

  private static let writers: [FetchDescriptor<Writer>] = [
    FetchDescriptor(sortBy: [SortDescriptor(\.rank)])
      .joining(inverse: \Press.Contents.bookWriter, #Predicate { $0.pages > 2 }),
    FetchDescriptor(sortBy: [SortDescriptor(\.rank, order: .reverse)], fetchLimit: 2)
      .joining(inverse: \Press.Contents.bookWriter, #Predicate { $0.pages < 3 }),
    FetchDescriptor().joining(
      inverse: \Press.Contents.bookWriter, #Predicate { $0.pages > 2 }, matching: .all),
    FetchDescriptor(sortBy: [SortDescriptor(\.rank)]).joining(
      inverse: \Press.Contents.bookWriter, #Predicate { $0.pages > 1 }, matching: .atLeast(2)),
    FetchDescriptor().joining(inverse: \Press.Contents.bookWriter, matching: .exactly(1)),
  ]

  private static func edit(_ press: inout Press, _ random: inout SeededGenerator) throws {
    try press.performBatchUpdates { context in
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let id = Int.random(in: 0..<12, using: &random)
        let writer = Int.random(in: 0..<6, using: &random)
        let value = Int.random(in: 0..<6, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: context.modifying.writers.insert(Writer(id: writer, rank: value))
        case 1: _ = context.modifying.writers.remove(Writer.EntityID(writer))
        case 2: _ = context.modifying.books.remove(Volume.EntityID(id))
        default:
          context.modifying.books.insert(
            Volume(id: id, writerID: Writer.EntityID(writer), pages: value))
        }
      }
    }
  }
}

private struct Writer: EntityType, Identifiable {
  let id: Int
  var rank = 0
}

private struct Volume: EntityType, Identifiable {
  let id: Int
  var writerID: Writer.EntityID
  var pages = 0
}

private struct Press: NormalizedStorageType {
  struct Contents: StorageContents {
    var writers = Tables.Hash<Writer>()
    var books = Tables.Hash<Volume>()
    var bookWriter = ToOne<Volume, Writer>(\.writerID, onDelete: .keepDangling)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("writers", \.writers)
      visitor.table("books", \.books)
      visitor.relationship("bookWriter", \.bookWriter)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
  var writers: Tables.Hash<Writer> { snapshot.contents.writers }
  var books: Tables.Hash<Volume> { snapshot.contents.books }
}

private struct PressState: StateType {
  var press = Press()
}

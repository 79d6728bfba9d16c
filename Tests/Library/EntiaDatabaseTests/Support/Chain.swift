import EntiaDatabase

/// Counts how often relationships read a key, so that work can be bounded without a clock.
final class KeyReads: @unchecked Sendable {
  // Unchecked: used by the one task of the test that counts.
  private(set) var count = 0

  @TaskLocal static var current: KeyReads?

  static func note() { current?.count += 1 }

  static func counting(_ body: () throws -> Void) rethrows -> Int {
    let reads = KeyReads()
    try $current.withValue(reads, operation: body)
    return reads.count
  }
}

struct Link: EntityType, Identifiable {
  let id: Int
  var next: Link.EntityID?
  /// The same key, read through an accessor that counts.
  var countedNext: Link.EntityID? {
    get {
      KeyReads.note()
      return next
    }
    set { next = newValue }
  }
}

/// Entities that each name one other, under a rule of the test's choice.
struct Chain: NormalizedStorageType {
  struct Contents: StorageContents {
    var links = Tables.Hash<Link>()
    var next: ToOne<Link, Link>

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("links", \.links)
      visitor.relationship("next", \.next)
    }
  }

  typealias Refusal = any Error

  var snapshot: Snapshot<Contents>
  var links: Tables.Hash<Link> { snapshot.contents.links }

  init() { self.init(.cascade, []) }

  /// Creates a database of links by rule; `nexts[i]` is the number of the link that link `i` names.
  init(_ rule: NullableDeleteRule, _ nexts: [Int?]) {
    var contents = Contents(next: ToOne(\.countedNext, onDelete: rule))
    contents.links = Tables.Hash(
      nexts.enumerated().map { Link(id: $0, next: $1.map { Link.EntityID($0) }) })
    snapshot = Snapshot(contents)
  }
}

package import EntiaDatabase

/// A row with members of the standard library's unordered collections.
package struct UnorderedRow: EntityType, Identifiable, Codable {
  package enum Kind: String, Codable, Hashable, Sendable {
    case first, second, third
  }

  package struct Nested: Codable, Hashable, Sendable {
    var words: Set<String>
  }

  package let id: Int
  package var names: Set<String>
  package var counts: [String: Int]
  package var kinds: [Kind: Set<Int>]
  package var nested: [Set<Nested>]

  /// Creates the row of an ID.
  /// - Parameter capacity: The capacity of the collections, on which their iteration order depends.
  package init(id: Int, capacity: Int) {
    func set<Element>(_ elements: [Element]) -> Set<Element> {
      var set = Set<Element>(minimumCapacity: capacity)
      set.formUnion(elements)
      return set
    }
    func dictionary<Key, Value>(_ elements: [(Key, Value)]) -> [Key: Value] {
      var dictionary = [Key: Value](minimumCapacity: capacity)
      for (key, value) in elements { dictionary[key] = value }
      return dictionary
    }
    let numbers = Array(id..<id + 20)
    let words = numbers.map { "w\($0)" }
    self.id = id
    names = set(words)
    counts = dictionary(Array(zip(words, numbers)))
    kinds = dictionary([.first, .second, .third].map { ($0, set(numbers)) })
    nested = [set(words.map { Nested(words: set([$0, "x", "y"])) })]
  }
}

/// Rows with unordered members.
package struct UnorderedRows: NormalizedStorageType, Equatable {
  package struct Contents: StorageContents, Equatable {
    package var rows = Tables.Hash<UnorderedRow>()

    package init() {}

    package static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.table("rows", \.rows) }
  }

  package var snapshot = Snapshot(Contents())

  package init() {}

  /// Creates a storage with rows.
  package init(_ rows: [UnorderedRow]) {
    performBatchUpdates { $0.modifying.rows.insert(rows) }
  }
}

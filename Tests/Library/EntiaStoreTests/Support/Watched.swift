import EntiaDatabase
import EntiaStore
import Testing

/// User code that records an issue when it runs while the store holds a lock.
enum Watched {
  static func check(_ what: String, sourceLocation: SourceLocation = #_sourceLocation) {
    if LockDepth.current != 0 {
      Issue.record("\(what) runs under a lock", sourceLocation: sourceLocation)
    }
  }

  /// A value with a comparison, a hash, a description and a `deinit` of the user's.
  final class Value: Hashable, CustomStringConvertible, Sendable {
    let number: Int

    init(_ number: Int) { self.number = number }

    deinit { check("deinit") }

    static func == (lhs: Value, rhs: Value) -> Bool {
      check("==")
      return lhs.number == rhs.number
    }

    func hash(into hasher: inout Hasher) {
      check("hash(into:)")
      hasher.combine(number)
    }

    var description: String {
      check("description")
      return "\(number)"
    }
  }

  struct Row: EntityType, Identifiable {
    let id: Value
    var content: Value
  }

  struct Shelf: NormalizedStorageType {
    struct Contents: StorageContents {
      var rows = Tables.Hash<Row>()
      var byContent = Indexes.Hash<Row, Value>(\.content)

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self {
        visitor.table("rows", \.rows)
        visitor.index("byContent", \.byContent)
      }
    }

    var snapshot = Snapshot(Contents())
  }

  struct State: StateType {
    var shelf = Shelf()
    var values: [Value: Value] = [:]
    var value = Value(0)

    subscript(key: Value) -> Value {
      get {
        check("a subscript")
        return values[key] ?? Value(0)
      }
      set {
        check("a subscript")
        values[key] = newValue
      }
    }

    /// The shelf, at a key path of its own for each key.
    subscript(shelfAt key: Value) -> Shelf {
      get { shelf }
      set { shelf = newValue }
    }

    static func reduce(modifying state: inout State, previous: State) { check("reduce") }
  }

  /// An actor on which states are delivered.
  actor Place {
    private(set) var calls = 0

    deinit { check("an actor's deinit") }

    func add() { calls += 1 }
  }
}

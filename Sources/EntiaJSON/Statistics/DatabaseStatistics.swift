/// What a database holds, counted: rows, references, orphans, chains and fan-outs.
///
/// Where several rows are the largest of their kind, the one with the first ID stands, so that equal
/// databases have equal statistics.
public struct DatabaseStatistics: Hashable, Sendable {
  /// The rows of one entity.
  public struct Table: Hashable, Sendable {
    /// The entity.
    public let entity: String
    /// How many rows there are.
    public internal(set) var rows = 0
    /// How many of them are listed as results.
    public internal(set) var results = 0
    /// How many of them are no results, and named by no other row.
    public internal(set) var unreferenced = 0
    /// The longest chain of references that begins at a row of the entity; nil if it has none.
    public internal(set) var deepestChain: Chain?
  }

  /// The references of one relationship.
  public struct Relationship: Hashable, Sendable {
    /// The entity whose rows hold the references.
    public let entity: String
    /// The member that holds them.
    public let name: String
    /// The entity whose rows they name.
    public let target: String
    /// Says whether a row may hold several.
    public let isMany: Bool
    /// How many references there are.
    public internal(set) var references = 0
    /// How many rows hold at least one.
    public internal(set) var holders = 0
    /// How many references name a row that does not exist.
    public internal(set) var dangling = 0
    /// The row that holds the most references.
    public internal(set) var largestFanOut: Fan?
    /// The row, there or not, that the most references name.
    public internal(set) var largestFanIn: Fan?
  }

  /// A row and how many references it holds, or how many name it.
  public struct Fan: Hashable, Sendable {
    /// The row.
    public let id: RecordID
    /// How many references.
    public let count: Int
  }

  /// Rows each of which names the next.
  public struct Chain: Hashable, Sendable {
    /// One row of a chain.
    public struct Step: Hashable, Sendable {
      /// The row.
      public let id: RecordID
      /// How many rows the cycle that it is part of has; 0 if it is part of none.
      public let cycleRows: Int
    }

    /// The rows; of the rows of one cycle only the first that the chain meets.
    public let steps: [Step]

    /// How many references lead from the first row to the last, a cycle counted as one row.
    public var length: Int { steps.count - 1 }
  }

  /// Rows that lead to each other: a cycle, or several that meet.
  public struct Cycles: Hashable, Sendable {
    /// How many there are, those that meet counted as one.
    public internal(set) var count = 0
    /// How many rows are part of them.
    public internal(set) var rows = 0
    /// How many rows the largest has.
    public internal(set) var largestRows = 0
    /// The row of the largest with the first ID; nil if there is no cycle.
    public internal(set) var example: RecordID?
  }

  /// The entities, in the order of their names.
  public let tables: [Table]
  /// The relationships, in the order of their entities and names.
  public let relationships: [Relationship]
  /// Where references lead back to where they began.
  public let cycles: Cycles

  /// How many rows there are.
  public var rows: Int { tables.reduce(0) { $0 + $1.rows } }
  /// How many references there are.
  public var references: Int { relationships.reduce(0) { $0 + $1.references } }
  /// How many references name a row that does not exist.
  public var dangling: Int { relationships.reduce(0) { $0 + $1.dangling } }
  /// How many rows are no results, and named by no other row.
  public var unreferenced: Int { tables.reduce(0) { $0 + $1.unreferenced } }
}

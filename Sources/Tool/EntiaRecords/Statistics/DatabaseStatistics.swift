/// Counts of a database's content: rows, references, orphans, chains and fan-outs.
///
/// If several rows have the largest count, the row with the first ID is reported, so that equal
/// databases have equal statistics.
public struct DatabaseStatistics: Hashable, Sendable {
  /// The rows of one entity.
  public struct Table: Hashable, Sendable {
    /// The entity.
    public let entity: String
    /// The number of rows.
    public internal(set) var rows = 0
    /// The number of rows in the result.
    public internal(set) var results = 0
    /// The number of rows that are not in the result, and that no other row refers to.
    public internal(set) var unreferenced = 0
    /// The longest chain of references that begins at a row of the entity, or nil if the entity has
    /// no rows.
    public internal(set) var deepestChain: Chain?
  }

  /// The references of one relationship.
  public struct Relationship: Hashable, Sendable {
    /// The entity whose rows have the references.
    public let entity: String
    /// The member with the references.
    public let name: String
    /// The entity whose rows the references identify.
    public let target: String
    /// Whether a row may have several.
    public let isMany: Bool
    /// The number of references.
    public internal(set) var references = 0
    /// The number of rows with at least one reference.
    public internal(set) var holders = 0
    /// The number of references to rows that do not exist.
    public internal(set) var dangling = 0
    /// The row with the most references.
    public internal(set) var largestFanOut: Fan?
    /// The row, existing or not, with the most references to it.
    public internal(set) var largestFanIn: Fan?
  }

  /// A row, and the number of references from it or to it.
  public struct Fan: Hashable, Sendable {
    /// The row.
    public let id: RecordID
    /// The number of references.
    public let count: Int
  }

  /// A chain of rows, each of which refers to the next.
  public struct Chain: Hashable, Sendable {
    /// One row of a chain.
    public struct Step: Hashable, Sendable {
      /// The row.
      public let id: RecordID
      /// The number of rows in the cycle that contains the row; 0 if there is none.
      public let cycleRows: Int
    }

    /// The rows. Of the rows of one cycle, only the first on the chain is included.
    public let steps: [Step]

    /// The number of references from the first row to the last. A cycle counts as one row.
    public var length: Int { steps.count - 1 }
  }

  /// Groups of rows that are reachable from each other: single cycles, or several cycles with
  /// common rows.
  public struct Cycles: Hashable, Sendable {
    /// The number of groups.
    public internal(set) var count = 0
    /// The number of rows in all groups.
    public internal(set) var rows = 0
    /// The number of rows of the largest group.
    public internal(set) var largestRows = 0
    /// The row with the first ID in the largest group, or nil if there are no cycles.
    public internal(set) var example: RecordID?
  }

  /// The entities, sorted by name.
  public let tables: [Table]
  /// The relationships, sorted by entity and name.
  public let relationships: [Relationship]
  /// The cycles of references.
  public let cycles: Cycles

  /// The number of rows.
  public var rows: Int { tables.reduce(0) { $0 + $1.rows } }
  /// The number of references.
  public var references: Int { relationships.reduce(0) { $0 + $1.references } }
  /// The number of references to rows that do not exist.
  public var dangling: Int { relationships.reduce(0) { $0 + $1.dangling } }
  /// The number of rows that are not in the result, and that no other row refers to.
  public var unreferenced: Int { tables.reduce(0) { $0 + $1.unreferenced } }
}

package import EntiaCoding
package import EntiaDatabase

/// The database of a page. It has tables of rows in a fixed order, and the references of the rows.
///
/// Rows are numbered from 0, table by table.
package struct PageDatabase {
  /// One table.
  package struct Table {
    /// The name of the table.
    package var name: String
    /// The names of the members that form the ID.
    package var idNames: [String]
    /// The names of the members of all rows, in the order of their first use.
    package var memberNames: [String]
    /// The number of rows.
    package var rowCount: Int
    /// The numbers of the rows that are the result of an import.
    package var results: [Int] = []
    /// The relationships of the table's rows.
    package var relationships: [Relationship] = []
    /// Returns the line of a row (see ``PageDatabase/line(key:members:)``), given the row's index
    /// in the table.
    package var line: (Int) -> [UInt8]
    /// Returns a row's targets for each relationship, given the row's index in the table.
    package var targets: (Int) -> [Targets]

    /// Creates a table.
    package init(
      name: String, idNames: [String], memberNames: [String], rowCount: Int,
      line: @escaping (Int) -> [UInt8], targets: @escaping (Int) -> [Targets]
    ) {
      self.name = name
      self.idNames = idNames
      self.memberNames = memberNames
      self.rowCount = rowCount
      self.line = line
      self.targets = targets
    }
  }

  /// A relationship of a table's rows.
  package struct Relationship {
    /// The member with the references.
    package var name: String
    /// The indices of the tables of the targets.
    package var targets: [Int]
    /// Whether a row may refer to several rows.
    package var isMany: Bool
    /// Whether the member is a part of the row's ID.
    package var isPartOfID = false
    /// The rule for deleting a holder or a target.
    package var rule = DeleteRule()

    /// Creates a relationship.
    package init(_ name: String, to targets: [Int], isMany: Bool) {
      self.name = name
      self.targets = targets
      self.isMany = isMany
    }
  }

  /// The rule of a relationship for deleting a holder or a target.
  package struct DeleteRule: Equatable {
    /// The rule for the holders of a deleted row.
    package var onDelete = NullableDeleteRule.deny
    /// Whether deleting a row that refers to other rows is refused.
    package var deniesHolder = false
    /// Whether deleting a row also deletes the rows that it refers to.
    package var cascadesToTargets = false

    /// Creates a rule.
    package init(
      onDelete: NullableDeleteRule = .deny, deniesHolder: Bool = false,
      cascadesToTargets: Bool = false
    ) {
      self.onDelete = onDelete
      self.deniesHolder = deniesHolder
      self.cascadesToTargets = cascadesToTargets
    }
  }

  /// The origin of the delete rules.
  package enum RuleSource: String {
    /// The rules of `entia delete`, for a file without rules.
    case tool
    /// The foreign keys of a file.
    case file
    /// The relationships of a storage.
    case storage
  }

  /// The rows that a row refers to by one relationship. A missing row has a negative number.
  package enum Targets {
    /// The row has no references.
    case none
    /// The row has one reference.
    case one(Int)
    /// The row has a list of references.
    case many([Int])

    /// The numbers of the rows.
    var numbers: [Int] {
      switch self {
      case .none: []
      case .one(let row): [row]
      case .many(let rows): rows
      }
    }
  }

  /// The tables, sorted by name.
  package var tables: [Table]
  /// The origin of the delete rules.
  package var ruleSource: RuleSource

  /// Creates a database.
  package init(_ tables: [Table], rules ruleSource: RuleSource) {
    self.tables = tables
    self.ruleSource = ruleSource
  }

  /// Returns the line of a row. The line is an array of the row's ID and an object with its
  /// members.
  ///
  /// - Parameters:
  ///   - key: A closure that writes the ID.
  ///   - members: A closure that writes the members' names and values.
  package static func line(
    key: (inout JSONWriter) -> Void, members: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter(layout: .compact)
    writer.beginArray()
    key(&writer)
    writer.object(members)
    writer.endArray()
    writer.endLine()
    return writer.bytes
  }
}

/// What marks a property as a part of a storage.
enum Marker: String, CaseIterable, Sendable {
  case table = "Table"
  case index = "Index"
  case relationship = "Relationship"
  case check = "Check"

  /// The attribute as the user writes it.
  var attribute: String { "@" + rawValue }

  /// The visitor's method that is told of the part.
  var visitorMethod: String {
    switch self {
    case .table: "table"
    case .index: "index"
    case .relationship: "relationship"
    case .check: "check"
    }
  }

  /// A declaration that shows how it is used.
  var example: String {
    switch self {
    case .table: "@Table var books: Tables.Hash<Book> = .init()"
    case .index: "@Index var booksByYear: Indexes.Sorted<Book, Int> = .init(\\.year)"
    case .relationship: "@Relationship var bookAuthor: ToOne<Book, Author> = .init(\\.authorID)"
    case .check:
      "@Check var year: Checks.Entity<Book> = .init(\"the year is positive\") { $0.year > 0 }"
    }
  }

  /// What there is of a part where an optional one would be nil.
  var emptiness: String {
    switch self {
    case .table: "a table without rows is empty"
    case .index: "an index without rows is empty"
    case .relationship: "keys may be, where the relationship's key path leads to an optional"
    case .check: "a check holds for every batch"
    }
  }

  /// The marker that a type plainly asks for, nil for a type that Entia does not name.
  init?(forType type: String) {
    var words = Lexer.tokens(of: SourceBytes(type)).lazy.filter { $0.kind == .identifier }
      .prefix(2).map(\.text.withoutBackticks)
    if words.first == "Entia" { words.removeFirst() }
    switch words.first {
    case "Tables": self = .table
    case "Indexes": self = .index
    case "ToOne", "ToMany": self = .relationship
    case "Checks": self = .check
    default: return nil
    }
  }
}

extension Declaration {
  /// The markers on this declaration, in the order they are written.
  var markers: [(marker: Marker, attribute: Attribute)] {
    attributes.compactMap { attribute in
      Marker(rawValue: attribute.name).map { ($0, attribute) }
    }
  }

  /// True when this carries `@NormalizedStorage`.
  var isMarkedAsStorage: Bool {
    attributes.contains { $0.name == "NormalizedStorage" }
  }
}

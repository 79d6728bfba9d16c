/// An attribute that marks a property as a part of a storage.
enum Marker: String, CaseIterable, Sendable {
  case table = "Table"
  case index = "Index"
  case relationship = "Relationship"
  case check = "Check"

  /// The attribute in source code.
  var attribute: String { "@" + rawValue }

  /// The name of the visitor method for a part with this marker.
  var visitorMethod: String { rawValue.lowercased() }

  /// An example declaration.
  var example: String {
    switch self {
    case .table: "@Table var books: Tables.Hash<Book> = .init()"
    case .index: "@Index var booksByYear: Indexes.Sorted<Book, Int> = .init(\\.year)"
    case .relationship: "@Relationship var bookAuthor: ToOne<Book, Author> = .init(\\.authorID)"
    case .check:
      "@Check var year: Checks.Entity<Book> = .init(\"the year is positive\") { $0.year > 0 }"
    }
  }

  /// The reason why a part with this marker is never optional, for a diagnostic.
  var emptiness: String {
    switch self {
    case .table: "a table without rows is empty"
    case .index: "an index without rows is empty"
    case .relationship: "the key is optional if its key path leads to an optional"
    case .check: "a check holds for every batch"
    }
  }

  /// Creates the marker for a type by its name; returns `nil` for a type that is not Entia's.
  init?(forType type: String) {
    var words = Lexer.tokens(of: SourceBytes(type)).lazy.filter { $0.kind == .identifier }
      .prefix(2).map(\.text.withoutBackticks)
    if words.first == "Entia" || words.first == "EntiaDatabase" { words.removeFirst() }
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
  /// The markers of this declaration, in source order.
  var markers: [(marker: Marker, attribute: Attribute)] {
    attributes.compactMap { attribute in
      Marker(rawValue: attribute.name).map { ($0, attribute) }
    }
  }

  /// Whether this declaration has the attribute `@NormalizedStorage`.
  var isMarkedAsStorage: Bool { hasAttribute("NormalizedStorage") }

  /// Returns whether this declaration has an attribute with a name.
  func hasAttribute(_ name: String) -> Bool { attributes.contains { $0.name == name } }
}

@testable import EntiaCollections

/// A row of the examples.
struct Todo: Identifiable, Equatable, Hashable, Codable, Comparable {
  let id: Int
  var title = ""
  var isComplete = false

  static func < (a: Self, b: Self) -> Bool { a.title < b.title }
}

extension Todo: CustomDebugStringConvertible {
  var debugDescription: String { "\(id)\(title)" }
}

typealias Todos = IdentifiedArrayOf<Todo>

/// Todos with these IDs, titled by them.
func todos(_ ids: Int...) -> Todos {
  Todos(uniqueElements: ids.map { Todo(id: $0, title: "t\($0)") })
}

/// A number that is its own ID.
struct Number: Identifiable, Equatable, Hashable, Codable, ExpressibleByIntegerLiteral {
  let id: Int
  init(integerLiteral value: Int) { id = value }
}

extension Number: CustomDebugStringConvertible {
  var debugDescription: String { "\(id)" }
}

/// An ID that is neither `Sendable` nor of a type that is hashed in a way of its own.
final class Token: Hashable {
  let name: String
  init(_ name: String) { self.name = name }
  static func == (a: Token, b: Token) -> Bool { a.name == b.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The names of types as one writes them: `Author.EntityID?` rather than what Swift prints.
enum TypeName {
  static func of(_ type: Any.Type) -> String {
    (type as? any SpelledType.Type)?.spelling ?? String(describing: type)
  }
}

private protocol SpelledType {
  static var spelling: String { get }
}

extension EntityIdentifier: SpelledType {
  fileprivate static var spelling: String { "\(Entity.entityName).EntityID" }
}

extension Optional: SpelledType {
  fileprivate static var spelling: String { "\(TypeName.of(Wrapped.self))?" }
}

extension Array: SpelledType {
  fileprivate static var spelling: String { "[\(TypeName.of(Element.self))]" }
}

extension Set: SpelledType {
  fileprivate static var spelling: String { "Set<\(TypeName.of(Element.self))>" }
}

extension Dictionary: SpelledType {
  fileprivate static var spelling: String {
    "[\(TypeName.of(Key.self)): \(TypeName.of(Value.self))]"
  }
}

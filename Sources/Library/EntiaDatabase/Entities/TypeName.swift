/// The names of types as they are written in code, such as `Author.EntityID?`, instead of Swift's
/// descriptions. The enum also formats the IDs that are printed beside these names.
package enum TypeName {
  package static func of(_ type: Any.Type) -> String {
    (type as? any SpelledType.Type)?.spelling ?? String(describing: type)
  }

  /// Returns the text of an ID. If it is empty or has control characters, it is escaped and quoted.
  package static func ofID(_ text: String) -> String {
    let isVisible =
      !text.isEmpty && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    return isVisible ? text : String(reflecting: text)
  }

  /// Returns the name of the storage in which a type of contents is nested, or the name of the
  /// contents if they are not nested in a storage.
  static func ofStorage(of contents: Any.Type) -> String {
    let parts = String(reflecting: contents).split(separator: ".")
    guard parts.count > 2, parts.last == "Contents" else { return String(describing: contents) }
    return String(parts[parts.count - 2])
  }

  /// Returns the name of a type. For an optional, this is the name of the wrapped type.
  static func ofWrapped(_ type: Any.Type) -> String {
    of((type as? any AnyOptional.Type)?.wrapped ?? type)
  }

  /// For the type of a list or set of IDs, returns the name of the entity. Returns `nil` for
  /// another type.
  static func ofElement(_ type: Any.Type) -> String? {
    let list = (type as? any AnyOptional.Type)?.wrapped ?? type
    return ((list as? any ListType.Type)?.element as? any IdentifierType.Type)?.entityName
  }
}

/// An optional of any type.
protocol AnyOptional {
  static var wrapped: Any.Type { get }
  var isNil: Bool { get }
}

extension Optional: AnyOptional {
  static var wrapped: Any.Type { Wrapped.self }
  var isNil: Bool { self == nil }
}

private protocol ListType {
  static var element: Any.Type { get }
}

extension Array: ListType {
  fileprivate static var element: Any.Type { Element.self }
}

extension Set: ListType {
  fileprivate static var element: Any.Type { Element.self }
}

private protocol IdentifierType {
  static var entityName: String { get }
}

extension EntityIdentifier: IdentifierType {
  fileprivate static var entityName: String { Entity.entityName }
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

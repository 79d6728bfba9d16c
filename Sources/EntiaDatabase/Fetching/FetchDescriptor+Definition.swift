import Foundation

extension FetchDescriptor {
  /// What descriptions that ask the same have in common; `nil` where that cannot be found out, such
  /// as for a closure.
  ///
  /// Equal definitions mean equal results. Descriptions that ask the same in other words may have
  /// different ones.
  ///
  /// - Complexity: O(*k*) in the size of the predicate, by reflection.
  package var definition: (any Hashable & Sendable)? {
    guard filter == nil, related.isEmpty, relatedSorts.isEmpty, start == nil else { return nil }
    var parts: [AnyHashable] = []
    if let predicate {
      var definition = ExpressionDefinition()
      definition.add(predicate.expression)
      guard definition.isKnown else { return nil }
      parts = definition.parts
    }
    return FetchDefinition(
      parts: parts, sortBy: sortBy, fetchLimit: fetchLimit, fetchOffset: fetchOffset)
  }
}

/// What is asked for by a description.
///
/// Sendable although its parts are of any type: they are types, key paths and values of the standard
/// library and Foundation, and none is ever changed.
private struct FetchDefinition<Entity: EntityType>: Hashable, @unchecked Sendable {
  let parts: [AnyHashable]
  let sortBy: [SortDescriptor<Entity>]
  let fetchLimit: Int?
  let fetchOffset: Int?
}

/// The types, key paths and values that an expression of a predicate is made of.
///
/// Values are compared by what they are made of and not by `==` of types of the user, which may pass
/// over what the predicate reads.
private struct ExpressionDefinition {
  private(set) var parts: [AnyHashable] = []
  /// Whether everything is known that the expression is made of.
  private(set) var isKnown = true
  /// The variables by the order in which they first appear, which is the same in predicates that read
  /// the same.
  private var variables: [PredicateExpressions.VariableID: Int] = [:]

  mutating func add(_ value: Any) {
    parts.append(ObjectIdentifier(type(of: value)))
    if let variable = value as? any AnyPredicateVariable {
      let number = variables[variable.key] ?? variables.count
      variables[variable.key] = number
      return parts.append(number)
    }
    if let atom = Self.atom(value) { return parts.append(atom) }
    if value is any CustomReflectable, !(value is any Collection), !Self.isOptional(value) {
      isKnown = false
      return
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .struct, .tuple: addChildren(of: mirror)
    case .optional: addChildren(of: mirror)
    case .collection:
      parts.append(mirror.children.count)
      addChildren(of: mirror)
    case .enum where mirror.children.isEmpty: addCase(value)
    default: isKnown = false
    }
  }

  private mutating func addChildren(of mirror: Mirror) {
    parts.append(mirror.children.count)
    for child in mirror.children {
      if !isKnown { return }
      add(child.value)
    }
  }

  /// Adds a case without a payload: by its raw value, or of an enumeration of Foundation, whose
  /// equality is known.
  private mutating func addCase(_ value: Any) {
    if let raw = value as? any RawRepresentable {
      add(raw.rawValue)
    } else if let constant = value as? any Hashable,
      String(reflecting: type(of: value)).hasPrefix("Foundation")
    {
      parts.append(AnyHashable(constant))
    } else {
      isKnown = false
    }
  }

  private static func isOptional(_ value: Any) -> Bool {
    Mirror(reflecting: value).displayStyle == .optional
  }

  /// A value that is compared as a whole.
  private static func atom(_ value: Any) -> AnyHashable? {
    switch value {
    case let path as AnyKeyPath: path
    case let number as any BinaryInteger: AnyHashable(number)
    case let number as Double: number.bitPattern
    case let number as Float: number.bitPattern
    case let truth as Bool: truth
    case let text as String: Array(text.utf8)
    case let text as Substring: Array(text.utf8)
    case let character as Character: Array(character.utf8)
    case let date as Date: date.timeIntervalSinceReferenceDate.bitPattern
    case let id as UUID: id
    case let number as Decimal: number
    case let data as Data: data
    case let url as URL: url.absoluteString
    default: nil
    }
  }
}

/// The variable of a predicate, which has another key in each predicate.
private protocol AnyPredicateVariable {
  var key: PredicateExpressions.VariableID { get }
}

extension PredicateExpressions.Variable: AnyPredicateVariable {}

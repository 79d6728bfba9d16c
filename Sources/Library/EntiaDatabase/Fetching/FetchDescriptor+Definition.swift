import Foundation

extension FetchDescriptor {
  /// A hashable definition of the fetch, by which descriptors are compared; `nil` when the fetch
  /// has a part that cannot be compared, such as a closure.
  ///
  /// Equal definitions imply equal results. Descriptors with the same meaning in different forms
  /// may have different definitions.
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

/// The definition of a fetch.
///
/// Sendable although its parts are of any type: they are types, key paths and values of the
/// standard library and Foundation, and are never changed.
private struct FetchDefinition<Entity: EntityType>: Hashable, @unchecked Sendable {
  let parts: [AnyHashable]
  let sortBy: [SortDescriptor<Entity>]
  let fetchLimit: Int?
  let fetchOffset: Int?
}

/// The types, key paths and values that make up the expression of a predicate.
///
/// Values are compared by their structure. The `==` of a user's type may ignore a property that
/// the predicate reads.
private struct ExpressionDefinition {
  private(set) var parts: [AnyHashable] = []
  /// Whether every part of the expression can be compared.
  private(set) var isKnown = true
  /// The number of each variable, in order of first appearance, so that equal predicates number
  /// their variables alike.
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

  /// Adds an enumeration case without a payload: its raw value, or the case itself if Foundation
  /// declares the enumeration, since its equality is known.
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

  /// Returns a value that is compared as a whole, or `nil` for other types.
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

/// A variable of a predicate, of any type. The keys of variables differ between predicates.
private protocol AnyPredicateVariable {
  var key: PredicateExpressions.VariableID { get }
}

extension PredicateExpressions.Variable: AnyPredicateVariable {}

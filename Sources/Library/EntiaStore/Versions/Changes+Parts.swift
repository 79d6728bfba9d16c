import EntiaCollections

/// Parts of a value, if at least one of them changed.
///
/// ```swift
/// state.ifChanged(\.name, \.count).do { name, count in … }
/// ```
public struct ChangedParts<each Part> {
  /// The parts, or `nil` if none of them changed.
  public let parts: (repeat each Part)?

  /// Calls a closure with the parts if at least one of them changed.
  ///
  /// - Parameter perform: A closure that is called with the parts.
  /// - Returns: The result of the closure, or `nil` if it was not called.
  /// - Throws: The error of the closure.
  @discardableResult
  public func `do`<Result>(
    _ perform: (repeat each Part) throws -> Result
  ) rethrows -> Result? {
    guard let parts else { return nil }
    return try perform(repeat each parts)
  }
}

extension Changes {
  /// Returns parts of the value if at least one of them changed, or if there is no previous value.
  ///
  /// - Parameter keyPath: The parts.
  /// - Returns: The parts for ``ChangedParts/do(_:)``.
  public func ifChanged<each Part: Equatable>(
    _ keyPath: repeat KeyPath<Value, each Part>
  ) -> ChangedParts<repeat each Part> {
    guard hasChanges(repeat each keyPath) else { return ChangedParts(parts: nil) }
    return ChangedParts(parts: (repeat primitive[keyPath: each keyPath]))
  }

  /// Calls a closure with a projection of the value if the projection changed.
  ///
  /// Without a previous value, the closure is called.
  ///
  /// - Parameters:
  ///   - projection: A function that computes a result from a value.
  ///   - perform: A closure that is called with the projection of the current value.
  /// - Returns: The result of the closure, or `nil` if it was not called.
  /// - Throws: The error of either closure.
  @discardableResult
  public func ifChanged<Part: Equatable, Result>(
    _ projection: (Value) throws -> Part, perform: (Part) throws -> Result
  ) rethrows -> Result? {
    let part = try projection(primitive)
    if let former, haveSameValue(try projection(former.value), part) { return nil }
    return try perform(part)
  }

  /// Returns the change of an optional part of the value, or `nil` if the part is `nil`.
  ///
  /// - Parameter keyPath: The part.
  /// - Returns: The part with a `previous` where there was one.
  public func mapIfPresent<Part: Sendable>(
    _ keyPath: KeyPath<Value, Part?>
  ) -> Changes<Part>? {
    guard let part = primitive[keyPath: keyPath] else { return nil }
    let before = former.flatMap { former in
      former.value[keyPath: keyPath].map { StateVersion($0, of: former) }
    }
    return Changes<Part>(StateVersion(part, of: current), previous: before)
  }
}

extension ChangedParts: Sendable where repeat each Part: Sendable {}

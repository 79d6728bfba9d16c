import EntiaCollections

/// Parts of a value, if at least one of them changed.
///
/// ```swift
/// state.ifChanged(\.name, \.count).do { name, count in … }
/// ```
public struct ChangedParts<each Part> {
  /// The parts; `nil` when none of them changed.
  public let parts: (repeat each Part)?

  /// Calls a closure with the parts if at least one of them changed.
  ///
  /// - Parameter perform: Is given the parts.
  /// - Returns: What the closure returns, or `nil` when it was not called.
  /// - Throws: What the closure throws.
  @discardableResult
  public func `do`<Result>(
    _ perform: (repeat each Part) throws -> Result
  ) rethrows -> Result? {
    guard let parts else { return nil }
    return try perform(repeat each parts)
  }
}

extension Changes {
  /// Returns parts of the value if at least one of them changed; without a previous value everything
  /// counts as changed.
  ///
  /// - Parameter keyPath: The parts.
  /// - Returns: The parts for ``ChangedParts/do(_:)``.
  public func ifChanged<each Part: Equatable>(
    _ keyPath: repeat KeyPath<Value, each Part>
  ) -> ChangedParts<repeat each Part> {
    guard hasChanges(repeat each keyPath) else { return ChangedParts(parts: nil) }
    return ChangedParts(parts: (repeat primitive[keyPath: each keyPath]))
  }

  /// Calls a closure with what a function returns for the value, if that changed.
  ///
  /// Without a previous value it counts as changed.
  ///
  /// - Parameters:
  ///   - projection: Computes something from a value.
  ///   - perform: Is given what the function returns for the current value.
  /// - Returns: What the closure returns, or `nil` when it was not called.
  /// - Throws: What the closures throw.
  @discardableResult
  public func ifChanged<Part: Equatable, Result>(
    _ projection: (Value) throws -> Part, perform: (Part) throws -> Result
  ) rethrows -> Result? {
    let part = try projection(primitive)
    if let former, haveSameValue(try projection(former.value), part) { return nil }
    return try perform(part)
  }

  /// The same change, seen through an optional part of the value; `nil` while the part is.
  ///
  /// - Parameter keyPath: The part.
  /// - Returns: The part with a `previous` where there was one.
  public func mapIfPresent<Part: Sendable>(
    _ keyPath: KeyPath<Value, Part?>
  ) -> Changes<Part>? {
    guard let part = primitive[keyPath: keyPath] else { return nil }
    let before = former.flatMap { former in
      former.value[keyPath: keyPath].map { Snapshot($0, of: former) }
    }
    return Changes<Part>(Snapshot(part, of: current), previous: before)
  }
}

extension ChangedParts: Sendable where repeat each Part: Sendable {}

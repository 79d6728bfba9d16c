import EntiaCollections

extension Changes {
  /// Calls a closure with a part of the value if the part changed.
  ///
  /// Without a previous value everything counts as changed.
  ///
  /// - Returns: What the closure returns, or `nil` when it was not called.
  /// - Throws: What the closure throws.
  @discardableResult
  public func ifChanged<Part: Equatable, Result>(
    _ keyPath: KeyPath<Value, Part>, perform: (Part) throws -> Result
  ) rethrows -> Result? {
    try ifChanged(keyPath, by: { haveSameValue($0, $1) }, perform: perform)
  }

  /// Calls a closure with a part of the value if it is not the same by your own comparison.
  ///
  /// - Parameter areEqual: Says whether the part before and the part now are the same.
  /// - Returns: What the closure returns, or `nil` when it was not called.
  /// - Throws: What the comparison or the closure throws.
  @discardableResult
  public func ifChanged<Part, Result>(
    _ keyPath: KeyPath<Value, Part>, by areEqual: (Part, Part) throws -> Bool,
    perform: (Part) throws -> Result
  ) rethrows -> Result? {
    let part = primitive[keyPath: keyPath]
    if let previous, try areEqual(previous.primitive[keyPath: keyPath], part) { return nil }
    return try perform(part)
  }

  /// Calls a closure with several parts of the value if at least one of them changed.
  ///
  /// Without a previous value everything counts as changed.
  ///
  /// - Returns: What the closure returns, or `nil` when it was not called.
  /// - Throws: What the closure throws.
  @discardableResult
  public func ifChanged<each Part: Equatable, Result>(
    _ keyPath: repeat KeyPath<Value, each Part>, perform: (repeat each Part) throws -> Result
  ) rethrows -> Result? {
    guard hasChanges(repeat each keyPath) else { return nil }
    return try perform(repeat primitive[keyPath: each keyPath])
  }

  /// Whether at least one of these parts of the value changed.
  ///
  /// Without a previous value everything counts as changed.
  ///
  /// - Returns: `false` when there is a previous value and all the parts are equal to what they
  ///   were.
  public func hasChanges<each Part: Equatable>(
    _ keyPath: repeat KeyPath<Value, each Part>
  ) -> Bool {
    guard let previous else { return true }
    let (before, now) = (previous.primitive, primitive)
    for keyPath in repeat each keyPath {
      if !haveSameValue(before[keyPath: keyPath], now[keyPath: keyPath]) { return true }
    }
    return false
  }
}

extension Changes where Value: Equatable {
  /// Whether the value as a whole changed; without a previous value it did.
  public var hasChanges: Bool {
    !(former.map { haveSameValue($0.value, primitive) } ?? false)
  }

  /// Calls a closure with the value if it changed as a whole.
  ///
  /// - Returns: What the closure returns, or `nil` when it was not called.
  /// - Throws: What the closure throws.
  @discardableResult
  public func ifChanged<Result>(
    _ perform: (Value) throws -> Result
  ) rethrows -> Result? {
    hasChanges ? try perform(primitive) : nil
  }
}

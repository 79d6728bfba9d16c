import EntiaCollections

extension Changes {
  /// Calls a closure with a part of the value if the part changed.
  ///
  /// Without a previous value, the closure is called.
  ///
  /// - Returns: The result of the closure, or `nil` if it was not called.
  /// - Throws: The error of the closure.
  @discardableResult
  public func ifChanged<Part: Equatable, Result>(
    _ keyPath: KeyPath<Value, Part>, perform: (Part) throws -> Result
  ) rethrows -> Result? {
    try ifChanged(keyPath, by: { haveSameValue($0, $1) }, perform: perform)
  }

  /// Calls a closure with a part of the value if a custom comparison finds it changed.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the part.
  ///   - areEqual: A closure that returns whether the previous and the current part are equal.
  ///   - perform: The closure, which is called with the current part.
  /// - Returns: The result of the closure, or `nil` if it was not called.
  /// - Throws: The error of the comparison or of the closure.
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
  /// Without a previous value, the closure is called.
  ///
  /// - Returns: The result of the closure, or `nil` if it was not called.
  /// - Throws: The error of the closure.
  @discardableResult
  public func ifChanged<each Part: Equatable, Result>(
    _ keyPath: repeat KeyPath<Value, each Part>, perform: (repeat each Part) throws -> Result
  ) rethrows -> Result? {
    guard hasChanges(repeat each keyPath) else { return nil }
    return try perform(repeat primitive[keyPath: each keyPath])
  }

  /// Returns whether at least one of these parts of the value changed.
  ///
  /// Without a previous value, the result is `true`.
  ///
  /// - Returns: `false` if there is a previous value and all the parts are equal to the previous
  ///   ones.
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
  /// Whether the value as a whole changed; `true` without a previous value.
  public var hasChanges: Bool {
    !(former.map { haveSameValue($0.value, primitive) } ?? false)
  }

  /// Calls a closure with the value if it changed as a whole.
  ///
  /// - Returns: The result of the closure, or `nil` if it was not called.
  /// - Throws: The error of the closure.
  @discardableResult
  public func ifChanged<Result>(
    _ perform: (Value) throws -> Result
  ) rethrows -> Result? {
    hasChanges ? try perform(primitive) : nil
  }
}

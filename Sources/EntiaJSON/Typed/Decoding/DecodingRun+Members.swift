extension DecodingRun {
  /// Whether a record has a member that was not decoded and holds objects.
  @usableFromInline
  func hasUndecodedMembers(_ record: Int) -> Bool {
    let end = tape.nodes[record].next
    var name = record + 1
    while name < end {
      if isUndecoded(name + 1) { return true }
      name = tape.nodes[name + 1].next
    }
    return false
  }

  /// The values of the members of a record that were not decoded and hold objects.
  func undecodedMembers(of record: Int) -> [Int] {
    var members: [Int] = []
    var name = record + 1
    while name < tape.nodes[record].next {
      if isUndecoded(name + 1) { members.append(name + 1) }
      name = tape.nodes[name + 1].next
    }
    return members
  }

  private func isUndecoded(_ value: Int) -> Bool {
    let node = tape.nodes[value]
    guard node.token.opens, !node.isDecoded else { return false }
    return (value..<node.next).contains { tape.nodes[$0].token == .beginObject }
  }

  /// The elements of an array, or what stands there in place of one.
  func elementsOrSelf(of value: Int) -> [Int] {
    guard tape.nodes[value].token == .beginArray else { return [value] }
    var elements: [Int] = []
    var node = value + 1
    while node < tape.nodes[value].next {
      elements.append(node)
      node = tape.nodes[node].next
    }
    return elements
  }

  /// Whether an object, or a list with an object or with nothing in it, stands at a node, or what
  /// names rows by the shape of the input: what may stand in the place of IDs.
  func holdsRecords(_ value: Int, isMany: Bool) -> Bool {
    let node = tape.nodes[value]
    if node.isLinkage { return true }
    guard isMany else { return node.token == .beginObject }
    guard node.token == .beginArray else { return false }
    var element = value + 1
    while element < node.next {
      if tape.nodes[element].token == .beginObject { return true }
      element = tape.nodes[element].next
    }
    return value + 1 == node.next
  }

  /// Begins to decode the child at a node, which takes its key from its parent.
  ///
  /// - Returns: what was being decoded before, for ``end(_:)``.
  @usableFromInline
  func begin(_ parent: ChildParent, at node: Int) -> OpenChild? {
    let before = openChild
    openChild = OpenChild(node: node, parent: parent)
    return before
  }

  @usableFromInline
  func end(_ before: OpenChild?) { openChild = before }

  /// Returns the key of the child that is being decoded at a node, where its record has none.
  func parentKey<Value>(_ type: Value.Type, _ name: String, in record: Int) -> Value? {
    guard let openChild, openChild.node == record else { return nil }
    return openChild.parent.key(type, named: name)
  }
}

extension DecodingRun {
  /// Begins to decode the record at a node, whose missing members have defaults.
  ///
  /// - Returns: what was being decoded before, for ``end(_:)``.
  @usableFromInline
  func begin(_ defaults: [String: any Sendable], at node: Int) -> OpenDefaults? {
    let before = openDefaults
    openDefaults = OpenDefaults(node: node, values: defaults)
    return before
  }

  @usableFromInline
  func end(_ before: OpenDefaults?) { openDefaults = before }

  /// Whether a member that a record lacks has a default.
  func hasDefault(_ name: String, in record: Int) -> Bool {
    guard let openDefaults, openDefaults.node == record else { return false }
    return openDefaults.values[name] != nil
  }

  /// Returns the default of a member that a record lacks; nil if it has none.
  ///
  /// - Throws: `DecodingError.typeMismatch` if the default is of another type.
  func defaultValue<Value>(_ type: Value.Type, _ name: String, in record: Int) throws -> Value? {
    guard let openDefaults, openDefaults.node == record, let value = openDefaults.values[name]
    else { return nil }
    if let value = value as? Value { return value }
    throw DecodingError.typeMismatch(
      type,
      DecodingError.Context(
        codingPath: codingPath(record),
        debugDescription: "there is no \(name.quoted), and its default is of the type "
          + "\(Swift.type(of: value)), not \(type)"))
  }
}

/// The defaults of a record that is being decoded.
@usableFromInline
struct OpenDefaults {
  let node: Int
  let values: [String: any Sendable]
}

/// A child that is being decoded.
@usableFromInline
struct OpenChild {
  let node: Int
  let parent: ChildParent
}

import EntiaCoding
import EntiaDatabase
import Foundation

/// The members of an object on the tape, which generated code reads.
///
/// It does not retain the import or copy names, because either would take longer than reading a
/// member.
struct TapeRow: RowReader {
  static var hasNestedEntities: Bool { true }

  private let run: Unmanaged<DecodingRun>
  private let object: Int
  /// The address of the name that was searched last.
  private var lastName: UnsafePointer<UInt8>?
  /// The value that was found last; -1 for none.
  private var lastNode = -1

  /// Creates the row of an object. The row must not be used after the import.
  init(_ run: DecodingRun, _ object: Int) {
    self.run = .passUnretained(run)
    self.object = object
  }

  @inline(__always)
  private func with<Result>(_ body: (DecodingRun) throws -> Result) rethrows -> Result {
    try run._withUnsafeGuaranteedRef(body)
  }

  func hasMember(_ name: StaticString) -> Bool {
    // `isReference` is `true`, because the type of the property is unknown here and may be an ID.
    with { $0.hasMember(name.description, of: object, isReference: true) }
  }

  func name(_ name: StaticString, or others: StaticString...) -> StaticString {
    // Defaults do not count here: a default applies only if the record has none of the names.
    ([name] + others).first { name in
      with {
        $0.hasMember(name.description, of: object, isReference: true, countsDefaults: false)
      }
    } ?? name
  }

  func codingPath(_ name: StaticString) -> [any CodingKey] {
    with { $0.codingPath(object) + [NamedKey(name.description)] }
  }

  /// Returns the value of a member; -1 if it is missing.
  ///
  /// A repeated call with a name returns the same value, even if several members have the name.
  @inline(__always)
  private mutating func find(_ name: StaticString, as type: Any.Type) -> Int {
    if lastName == name.utf8Start { return lastNode }
    lastName = name.utf8Start
    lastNode = with { $0.member(name, of: object, as: type) }
    return lastNode
  }

  /// Reads the value of a member, or returns its substitute if it is missing.
  @inline(__always)
  private mutating func read<Value>(
    _ name: StaticString, _ body: (DecodingRun, Int) throws -> Value
  ) throws -> Value {
    let node = find(name, as: Value.self)
    return try with { run in
      if node >= 0 { return try body(run, node) }
      return try run.substitute(for: name, of: object)
    }
  }

  /// Reads the value of a member, or returns its substitute if it is missing. Returns `nil` if the
  /// value is null, or if a missing member has no substitute.
  @inline(__always)
  private mutating func readIfPresent<Value>(
    _ name: StaticString, _ body: (DecodingRun, Int) throws -> Value
  ) throws -> Value? {
    let node = find(name, as: Value.self)
    return try with { run in
      if node >= 0 { return run.isNull(node) ? nil : try body(run, node) }
      return try run.substituteIfPresent(for: name, of: object)
    }
  }

  mutating func member(_ name: StaticString) throws -> String {
    try read(name) { try $0.string($1) }
  }
  mutating func memberIfPresent(_ name: StaticString) throws -> String? {
    try readIfPresent(name) { try $0.string($1) }
  }
  mutating func member(_ name: StaticString) throws -> Int { try read(name) { try $0.int($1) } }
  mutating func memberIfPresent(_ name: StaticString) throws -> Int? {
    try readIfPresent(name) { try $0.int($1) }
  }
  mutating func member(_ name: StaticString) throws -> Double {
    try read(name) { try $0.double($1) }
  }
  mutating func memberIfPresent(_ name: StaticString) throws -> Double? {
    try readIfPresent(name) { try $0.double($1) }
  }
  mutating func member(_ name: StaticString) throws -> Bool { try read(name) { try $0.bool($1) } }
  mutating func memberIfPresent(_ name: StaticString) throws -> Bool? {
    try readIfPresent(name) { try $0.bool($1) }
  }

  mutating func value<Value: Decodable>(_ name: StaticString) throws -> Value {
    try read(name) { try $0.decode(Value.self, $1) }
  }
  mutating func valueIfPresent<Value: Decodable>(_ name: StaticString) throws -> Value? {
    try readIfPresent(name) { try $0.decode(Value.self, $1) }
  }
}

extension DecodingRun {
  /// Returns the node of a member's value, and marks the value as decoded. Returns -1 if the member
  /// is missing. A null member of a child also counts as missing if it can be filled with the key
  /// that refers to the parent.
  @inline(__always)
  fileprivate func member(_ name: StaticString, of object: Int, as type: Any.Type) -> Int {
    let start = tape.nodes.start
    let next = (start + object).pointee.hint
    if keepsNames, next < (start + object).pointee.next, openChild == nil {
      let found = start + next
      if !found.pointee.hasEscapes, isName(found, name) {
        (found + 1).pointee.isDecoded = true
        (start + object).pointee.hint = (found + 1).pointee.next
        return next &+ 1
      }
    }
    return search(name, of: object, as: type)
  }

  @inline(never)
  private func search(_ name: StaticString, of object: Int, as type: Any.Type) -> Int {
    if isMissing(name, of: object) {
      missingMembers += 1
      return -1
    }
    return member(name.description, of: object, as: type) ?? -1
  }

  /// Whether an object certainly lacks a member. The result is `false` if a name in the object
  /// might match `name` in another spelling.
  private func isMissing(_ name: StaticString, of object: Int) -> Bool {
    // The name of a reference may lack the suffix `ID` or `IDs` in JSON. If `name` ends in `d`, `D`
    // or `s`, the object may therefore have the member under the name without this suffix.
    let last = name.utf8CodeUnitCount > 0 ? name.utf8Start[name.utf8CodeUnitCount - 1] : 0
    guard keepsNames, last | 0x20 != UInt8(ascii: "d"), last != UInt8(ascii: "s") else {
      return false
    }
    let nodes = tape.nodes.start
    let end = nodes[object].next
    var index = object + 1
    while index < end {
      if nodes[index].hasEscapes || isName(nodes + index, name) { return false }
      index = nodes[index + 1].next
    }
    return true
  }

  @inline(__always)
  private func isName(_ node: UnsafePointer<JSONTape.Node>, _ name: StaticString) -> Bool {
    let count = name.utf8CodeUnitCount
    return node.pointee.end &- node.pointee.start &- 2 == count
      && ByteRange.areEqual(base + (node.pointee.start &+ 1), name.utf8Start, count)
  }

  @inline(never)
  fileprivate func substitute<Value>(for name: StaticString, of object: Int) throws -> Value {
    if let value: Value = try substituteIfPresent(for: name, of: object) { return value }
    throw DecodingError.keyNotFound(
      NamedKey(name.description),
      DecodingError.Context(
        codingPath: codingPath(object),
        debugDescription: missingMember(name.description, of: object)))
  }

  @inline(never)
  fileprivate func substituteIfPresent<Value>(
    for name: StaticString, of object: Int
  ) throws -> Value? {
    guard hasSubstitutes(object) else { return nil }
    return try substitute(Value.self, for: name.description, of: object)
  }
}

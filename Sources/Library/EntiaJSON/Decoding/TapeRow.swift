import EntiaCoding
import EntiaDatabase
import Foundation

/// The members of an object on the tape, which generated code reads.
///
/// It neither retains the import nor copies names: both would take longer than reading a member.
struct TapeRow: RowReader {
  static var hasNestedEntities: Bool { true }

  private let run: Unmanaged<DecodingRun>
  private let object: Int

  /// Creates the row of an object. It must not be used after the import.
  init(_ run: DecodingRun, _ object: Int) {
    self.run = .passUnretained(run)
    self.object = object
  }

  @inline(__always)
  private func with<Result>(_ body: (DecodingRun) throws -> Result) rethrows -> Result {
    try run._withUnsafeGuaranteedRef(body)
  }

  func hasMember(_ name: StaticString) -> Bool {
    // The type of the property is not known here, so that it may be a reference.
    with { $0.hasMember(name.description, of: object, isReference: true) }
  }

  func codingPath(_ name: StaticString) -> [any CodingKey] {
    with { $0.codingPath(object) + [NamedKey(name.description)] }
  }

  /// Reads the value of a member, or returns its substitute if it is missing.
  @inline(__always)
  private func read<Value>(
    _ name: StaticString, _ body: (DecodingRun, Int) throws -> Value
  ) throws -> Value {
    try with { run in
      let node = run.member(name, of: object, as: Value.self)
      if node >= 0 { return try body(run, node) }
      return try run.substitute(for: name, of: object)
    }
  }

  /// Reads the value of a member, or returns its substitute if it is missing; `nil` if it has none,
  /// or if the value is null.
  @inline(__always)
  private func readIfPresent<Value>(
    _ name: StaticString, _ body: (DecodingRun, Int) throws -> Value
  ) throws -> Value? {
    try with { run in
      let node = run.member(name, of: object, as: Value.self)
      if node >= 0 { return run.isNull(node) ? nil : try body(run, node) }
      return try run.substituteIfPresent(for: name, of: object)
    }
  }

  func member(_ name: StaticString) throws -> String { try read(name) { try $0.string($1) } }
  func memberIfPresent(_ name: StaticString) throws -> String? {
    try readIfPresent(name) { try $0.string($1) }
  }
  func member(_ name: StaticString) throws -> Int { try read(name) { try $0.int($1) } }
  func memberIfPresent(_ name: StaticString) throws -> Int? {
    try readIfPresent(name) { try $0.int($1) }
  }
  func member(_ name: StaticString) throws -> Double { try read(name) { try $0.double($1) } }
  func memberIfPresent(_ name: StaticString) throws -> Double? {
    try readIfPresent(name) { try $0.double($1) }
  }
  func member(_ name: StaticString) throws -> Bool { try read(name) { try $0.bool($1) } }
  func memberIfPresent(_ name: StaticString) throws -> Bool? {
    try readIfPresent(name) { try $0.bool($1) }
  }

  func value<Value: Decodable>(_ name: StaticString) throws -> Value {
    try read(name) { try $0.decode(Value.self, $1) }
  }
  func valueIfPresent<Value: Decodable>(_ name: StaticString) throws -> Value? {
    try readIfPresent(name) { try $0.decode(Value.self, $1) }
  }

  func repeatLastMember() { with { $0.repeatLastMember(of: object) } }
}

extension DecodingRun {
  /// Returns the value of a member, and marks it as decoded; -1 if it is missing, or null where a
  /// parent has its value.
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
    if isMissing(name, of: object) { return -1 }
    return member(name.description, of: object, as: type) ?? -1
  }

  /// Whether an object has no member with a name in any spelling. `false` implies nothing.
  private func isMissing(_ name: StaticString, of object: Int) -> Bool {
    // The key of a reference may have the name without its suffix.
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

  /// Sets the hint of an object to the member before it.
  @inline(never)
  fileprivate func repeatLastMember(of object: Int) {
    let hint = tape.nodes[object].hint
    var name = object + 1
    while name < hint {
      let next = tape.nodes[name + 1].next
      if next == hint { tape.nodes[object].hint = name }
      name = next
    }
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

package import EntiaDatabase
import Foundation

/// A row that encodes itself by hand, in ways that its ID chooses among all that `Codable` offers:
/// nested containers, passed-on encoders, explicit nulls and single values.
package struct CodedRow: EntityType, Identifiable, Codable, Hashable {
  package let id: Int
  private let members: [Member]

  /// Creates the row of an ID.
  package init(id: Int) {
    var choices = Choices(state: UInt64(truncatingIfNeeded: id) &* 0x9E37_79B9 &+ 1)
    self.id = id
    members = choices.members(depth: 3, hasParent: true)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let id = try container.decode(Int.self, forKey: Key("id"))
    self.id = id
    // The row that was encoded tells the types to decode.
    members = try CodedRow(id: id).members.map { try $0.read(from: container) }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id, forKey: Key("id"))
    for member in members { try member.write(to: &container) }
  }
}

private struct Key: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

/// A way to encode a member or an element.
private enum Way: Hashable, Sendable {
  /// By the container's methods for values and nested containers.
  case direct
  /// By `encodeIfPresent`, or directly for a container.
  case optional
  /// By an encoder of the member.
  case passed
  /// By the encoder of the superclass, which has no key.
  case parent
}

private struct Member: Hashable, Sendable {
  let name: String
  let way: Way
  let part: Part

  func write(to container: inout KeyedEncodingContainer<Key>) throws {
    let key = Key(name)
    switch (way, part) {
    case (.passed, _): try part.write(to: container.superEncoder(forKey: key))
    case (.parent, _): try part.write(to: container.superEncoder())
    case (_, .object(let members)):
      var nested = container.nestedContainer(keyedBy: Key.self, forKey: key)
      for member in members { try member.write(to: &nested) }
    case (_, .list(let elements)):
      var nested = container.nestedUnkeyedContainer(forKey: key)
      for element in elements { try element.write(to: &nested) }
    case (_, .null): try container.encodeNil(forKey: key)
    case (.optional, .text(let value)):
      try container.encodeIfPresent(Optional(value), forKey: key)
      try container.encodeIfPresent(String?.none, forKey: Key(name + "None"))
    case (.optional, .int(let value)): try container.encodeIfPresent(Optional(value), forKey: key)
    case (_, .bool(let value)): try container.encode(value, forKey: key)
    case (_, .int(let value)): try container.encode(value, forKey: key)
    case (_, .byte(let value)): try container.encode(value, forKey: key)
    case (_, .double(let value)): try container.encode(value, forKey: key)
    case (_, .float(let value)): try container.encode(value, forKey: key)
    case (_, .text(let value)): try container.encode(value, forKey: key)
    case (_, .numbers(let value)): try container.encode(value, forKey: key)
    case (_, .table(let value)): try container.encode(value, forKey: key)
    case (_, .date(let value)): try container.encode(value, forKey: key)
    }
  }

  /// Returns the member that a container has in the place of this one.
  func read(from container: KeyedDecodingContainer<Key>) throws -> Member {
    let key = Key(name)
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try container.decode(type, forKey: key)
    }
    let found: Part =
      switch (way, part) {
      case (.passed, _): try part.read(from: container.superDecoder(forKey: key))
      case (.parent, _): try part.read(from: container.superDecoder())
      case (_, .object(let members)):
        try .object(
          { nested in try members.map { try $0.read(from: nested) } }(
            container.nestedContainer(keyedBy: Key.self, forKey: key)))
      case (_, .list(let elements)):
        try .list(Part.read(elements, from: container.nestedUnkeyedContainer(forKey: key)))
      case (_, .null): try container.decodeNil(forKey: key) ? .null : .text("not null")
      case (.optional, .text):
        try container.decodeIfPresent(String.self, forKey: Key(name + "None")) == nil
          ? .text(container.decodeIfPresent(String.self, forKey: key) ?? "missing") : .null
      case (.optional, .int):
        try container.decodeIfPresent(Int.self, forKey: key).map { .int($0) } ?? .null
      case (_, .bool): try .bool(decode(Bool.self))
      case (_, .int): try .int(decode(Int.self))
      case (_, .byte): try .byte(decode(UInt8.self))
      case (_, .double): try .double(decode(Double.self))
      case (_, .float): try .float(decode(Float.self))
      case (_, .text): try .text(decode(String.self))
      case (_, .numbers): try .numbers(decode([Int].self))
      case (_, .table): try .table(decode([String: Int].self))
      case (_, .date): try .date(decode(Date.self))
      }
    return Member(name: name, way: way, part: found)
  }
}

private struct Element: Hashable, Sendable {
  let way: Way
  let part: Part

  func write(to container: inout any UnkeyedEncodingContainer) throws {
    switch (way, part) {
    case (.passed, _), (.parent, _): try part.write(to: container.superEncoder())
    case (_, .object(let members)):
      var nested = container.nestedContainer(keyedBy: Key.self)
      for member in members { try member.write(to: &nested) }
    case (_, .list(let elements)):
      var nested = container.nestedUnkeyedContainer()
      for element in elements { try element.write(to: &nested) }
    case (_, .null): try container.encodeNil()
    case (_, .bool(let value)): try container.encode(value)
    case (_, .int(let value)): try container.encode(value)
    case (_, .byte(let value)): try container.encode(value)
    case (_, .double(let value)): try container.encode(value)
    case (_, .float(let value)): try container.encode(value)
    case (_, .text(let value)): try container.encode(value)
    case (_, .numbers(let value)): try container.encode(value)
    case (_, .table(let value)): try container.encode(value)
    case (_, .date(let value)): try container.encode(value)
    }
  }
}

private indirect enum Part: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case byte(UInt8)
  case double(Double)
  case float(Float)
  case text(String)
  case date(Date)
  case numbers([Int])
  case table([String: Int])
  case list([Element])
  case object([Member])

  func write(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: Key.self)
      for member in members { try member.write(to: &container) }
    case .list(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try element.write(to: &container) }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .null, .object, .list: try container.encodeNil()
      case .bool(let value): try container.encode(value)
      case .int(let value): try container.encode(value)
      case .byte(let value): try container.encode(value)
      case .double(let value): try container.encode(value)
      case .float(let value): try container.encode(value)
      case .text(let value): try container.encode(value)
      case .numbers(let value): try container.encode(value)
      case .table(let value): try container.encode(value)
      case .date(let value): try container.encode(value)
      }
    }
  }

  /// Returns the part that a decoder has in the place of this one.
  func read(from decoder: any Decoder) throws -> Part {
    switch self {
    case .object(let members):
      let container = try decoder.container(keyedBy: Key.self)
      return .object(try members.map { try $0.read(from: container) })
    case .list(let elements):
      return .list(try Self.read(elements, from: decoder.unkeyedContainer()))
    default:
      let container = try decoder.singleValueContainer()
      return switch self {
      case .null, .object, .list: container.decodeNil() ? .null : .text("not null")
      case .bool: try .bool(container.decode(Bool.self))
      case .int: try .int(container.decode(Int.self))
      case .byte: try .byte(container.decode(UInt8.self))
      case .double: try .double(container.decode(Double.self))
      case .float: try .float(container.decode(Float.self))
      case .text: try .text(container.decode(String.self))
      case .numbers: try .numbers(container.decode([Int].self))
      case .table: try .table(container.decode([String: Int].self))
      case .date: try .date(container.decode(Date.self))
      }
    }
  }

  static func read(
    _ elements: [Element], from container: any UnkeyedDecodingContainer
  ) throws -> [Element] {
    var container = container
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try container.decode(type) }
    var found: [Element] = []
    for element in elements {
      let part: Part =
        switch (element.way, element.part) {
        case (.passed, let part), (.parent, let part): try part.read(from: container.superDecoder())
        case (_, .object(let members)):
          try .object(
            { nested in try members.map { try $0.read(from: nested) } }(
              container.nestedContainer(keyedBy: Key.self)))
        case (_, .list(let elements)):
          try .list(read(elements, from: container.nestedUnkeyedContainer()))
        case (_, .null): try container.decodeNil() ? .null : .text("not null")
        case (_, .bool): try .bool(decode(Bool.self))
        case (_, .int): try .int(decode(Int.self))
        case (_, .byte): try .byte(decode(UInt8.self))
        case (_, .double): try .double(decode(Double.self))
        case (_, .float): try .float(decode(Float.self))
        case (_, .text): try .text(decode(String.self))
        case (_, .numbers): try .numbers(decode([Int].self))
        case (_, .table): try .table(decode([String: Int].self))
        case (_, .date): try .date(decode(Date.self))
        }
      found.append(Element(way: element.way, part: part))
    }
    // An element more would be one that no type has written.
    return container.isAtEnd ? found : found + [Element(way: .direct, part: .text("more"))]
  }
}

/// The choices of a row.
private struct Choices {
  var state: UInt64

  private mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }

  mutating func members(depth: Int, hasParent: Bool) -> [Member] {
    var members = (0..<below(6) + 1).map { index in
      let ways = [Way.direct, .direct, .optional, .passed]
      let name = ["m", "_m", "m é", "$m", "m\"m"][below(5)] + "\(index)"
      return Member(name: name, way: ways[below(ways.count)], part: part(depth: depth - 1))
    }
    if hasParent, below(3) == 0 {
      members.append(Member(name: "super", way: .parent, part: part(depth: depth - 1)))
    }
    return members
  }

  private mutating func part(depth: Int) -> Part {
    switch below(depth > 0 ? 14 : 9) {
    case 0: .null
    case 1: .bool(below(2) == 0)
    case 2: .int(below(3) == 0 ? .min : below(1000))
    case 3: .byte(UInt8(below(256)))
    case 4: .double(Double(below(1000)) / 8)
    case 5: .float(Float(below(100)) / 4)
    case 6: .text(["", "a", "$t", "{}", "[1]", "\"\\", "null", "1", "é\u{1F600}\n"][below(9)])
    case 7: .numbers((0..<below(4)).map { $0 })
    case 8: below(2) == 0 ? .table(["a": below(9)]) : .date(Date(timeIntervalSince1970: 86_400))
    case 9, 10:
      .list(
        (0..<below(4)).map { _ in
          Element(way: [.direct, .passed][below(2)], part: part(depth: depth - 1))
        })
    default: .object(members(depth: depth, hasParent: false))
    }
  }
}

/// A storage of rows that encode themselves by hand.
package struct CodedRows: NormalizedStorageType, Equatable {
  package struct Contents: StorageContents, Equatable {
    package var rows = Tables.Hash<CodedRow>()

    package init() {}

    package static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.table("rows", \.rows) }
  }

  package var snapshot = Snapshot(Contents())

  package init() {}

  /// Creates a storage of the rows of some IDs.
  package init(ids: Range<Int>) {
    performBatchUpdates { context in
      for id in ids { _ = context.modifying.rows.insert(CodedRow(id: id)) }
    }
  }
}

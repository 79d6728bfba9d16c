import EntiaCoding
import EntiaDatabase
import Foundation

/// A type whose values have a specific JSON form in an inspection.
protocol InspectedValue {
  /// The JSON value.
  var inspectedJSON: JSONValue { get }
}

extension EntityIdentifier: InspectedValue {
  var inspectedJSON: JSONValue { JSONValue(inspectingID: raw) }
}

extension TransientMember: InspectedValue {
  var inspectedJSON: JSONValue { JSONValue(inspecting: value) }
}

extension JSONValue {
  /// The maximum depth of nested values; the text `…` takes the place of deeper values.
  private static let maximumInspectedDepth = 32

  /// Creates the JSON form of a value in memory, by reflection. Values need not be `Codable`.
  ///
  /// - Complexity: O(size of the value).
  init(inspecting value: Any) { self.init(inspecting: value, depth: 0) }

  /// Creates the JSON form of a raw ID: a number for an integer, and a text for any other value.
  init(inspectingID raw: Any) {
    let value = JSONValue(inspecting: raw)
    if case .number = value, raw is any BinaryInteger {
      self = value
    } else {
      self = .string(value.nameText)
    }
  }

  /// The text of the value as a name or an ID.
  var nameText: String {
    if case .string(let text) = self { return text }
    return String(decoding: bytes(), as: UTF8.self)
  }

  private init(inspecting value: Any, depth: Int) {
    guard depth < Self.maximumInspectedDepth else {
      self = .string("…")
      return
    }
    self =
      Self.scalar(value)
      ?? Self.parts(of: Mirror(reflecting: value), value, depth)
  }

  private static func scalar(_ value: Any) -> JSONValue? {
    switch value {
    case let value as String: .string(value)
    case let value as any BinaryInteger: .number(JSONNumber(value))
    case let value as Bool: .bool(value)
    case let value as any InspectedValue: value.inspectedJSON
    case let value as any BinaryFloatingPoint: number("\(value)")
    case let value as Decimal: number("\(value)")
    case let value as Date: .string(ISO8601Text.text(of: value) ?? "\(value)")
    case let value as URL: .string(value.absoluteString)
    case let value as UUID: .string(value.uuidString)
    case let value as Data: .string(value.base64EncodedString())
    case let value as any StringProtocol: .string(String(value))
    default: nil
    }
  }

  /// Returns a number, or a string for a number that JSON cannot represent, such as NaN.
  private static func number(_ text: String) -> JSONValue {
    JSONNumber(text).map(JSONValue.number) ?? .string(text)
  }

  private static func parts(of mirror: Mirror, _ value: Any, _ depth: Int) -> JSONValue {
    func part(_ value: Any) -> JSONValue { JSONValue(inspecting: value, depth: depth + 1) }
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.map { part($0.value) } ?? .null
    case .collection: return .array(mirror.children.map { part($0.value) })
    case .set: return .array(sorted(mirror.children.map { part($0.value) }))
    case .dictionary: return dictionary(mirror, part)
    case .class: return .string(String(describing: value))
    default: break
    }
    if let value = value as? any RawRepresentable { return part(value.rawValue) }
    if mirror.displayStyle == .enum {
      guard let payload = mirror.children.first else { return .string(String(describing: value)) }
      return .object([Member(payload.label ?? "", part(payload.value))])
    }
    guard !mirror.children.isEmpty else { return .string(String(describing: value)) }
    return .object(
      mirror.children.enumerated().map { index, child in
        Member(Mirror.propertyName(of: child) ?? "\(index)", part(child.value))
      })
  }

  /// Returns a dictionary as an object with sorted names. If several keys have the same text,
  /// returns a sorted array of pairs instead.
  private static func dictionary(_ mirror: Mirror, _ part: (Any) -> JSONValue) -> JSONValue {
    let pairs = mirror.children.map { child in
      let pair = Mirror(reflecting: child.value).children.map(\.value)
      return (key: part(pair[0]), value: part(pair[1]))
    }
    let names = pairs.map { $0.key.nameText }
    guard Set(names.map(ExactString.init)).count == names.count else {
      return .array(sorted(pairs.map { .array([$0.key, $0.value]) }))
    }
    let members = zip(names, pairs).map { Member($0, $1.value) }
    return .object(members.sorted { ExactString($0.name) < ExactString($1.name) })
  }

  /// Returns values sorted by their texts, because sets and dictionaries have no order.
  private static func sorted(_ values: [JSONValue]) -> [JSONValue] {
    values.map { (ExactString(String(decoding: $0.bytes(), as: UTF8.self)), $0) }
      .sorted { $0.0 < $1.0 }.map(\.1)
  }
}

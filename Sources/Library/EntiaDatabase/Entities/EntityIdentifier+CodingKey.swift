import Foundation

extension EntityIdentifier: CodingKeyRepresentable {
  /// The raw value as a coding key, so that dictionaries keyed by ID are encoded as objects: a
  /// string or a number unchanged, any other raw value as its JSON text.
  public var codingKey: any CodingKey { RawValueKey(raw) }

  /// Creates an ID from a coding key, or returns `nil` when the key cannot be converted to the
  /// raw type.
  public init?<Key: CodingKey>(codingKey: Key) {
    guard let raw = RawValueKey.value(Entity.EntityIDRawType.self, of: codingKey) else {
      return nil
    }
    self.init(raw)
  }
}

/// A raw value as the key of an object.
private struct RawValueKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }

  init(_ raw: some Hashable) {
    if let raw = raw as? String {
      self.init(stringValue: raw)
    } else if let raw = raw as? Int {
      self.init(intValue: raw)
    } else if let raw = raw as? any CodingKeyRepresentable {
      self.init(raw.codingKey)
    } else if let raw = raw as? any LosslessStringConvertible {
      self.init(stringValue: raw.description)
    } else {
      self.init(stringValue: Self.text(of: raw))
    }
  }

  private init(_ key: any CodingKey) {
    stringValue = key.stringValue
    intValue = key.intValue
  }

  static func value<Raw>(_ type: Raw.Type, of key: some CodingKey) -> Raw? {
    let text = key.stringValue
    if type == String.self { return text as? Raw }
    if type == Int.self { return Int(text) as? Raw }
    if let type = type as? any CodingKeyRepresentable.Type {
      return type.init(codingKey: key) as? Raw
    }
    if let type = type as? any LosslessStringConvertible.Type { return type.init(text) as? Raw }
    return (type as? any Decodable.Type).flatMap { value($0, of: text) } as? Raw
  }

  /// Returns the JSON text of a raw value, without the quotation marks if it is a string.
  private static func text(of raw: some Hashable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      guard let raw = raw as? any Encodable else { return String(describing: raw) }
      let data = try encoder.encode(raw)
      return decoded(String.self, from: data) ?? String(decoding: data, as: UTF8.self)
    } catch {
      // A coding key cannot throw. This text cannot be decoded, so that no wrong value is read.
      return String(describing: raw)
    }
  }

  private static func value<Raw: Decodable>(_ type: Raw.Type, of text: String) -> Raw? {
    do {
      let quoted = try JSONEncoder().encode(text)
      return decoded(type, from: quoted) ?? decoded(type, from: Data(text.utf8))
    } catch {
      return nil
    }
  }

  /// Decodes a value, or returns `nil` when the key is of another type, which the dictionary
  /// reports.
  private static func decoded<Value: Decodable>(_ type: Value.Type, from data: Data) -> Value? {
    do { return try JSONDecoder().decode(type, from: data) } catch { return nil }
  }
}

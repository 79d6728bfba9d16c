import EntiaCoding
import Foundation

/// Decides how values are stored in SQLite, for rows of Swift types and for records without types.
///
/// | Swift                                   | SQLite                                       | in nested JSON |
/// |-----------------------------------------|----------------------------------------------|----------------|
/// | `nil`, a member that is not encoded     | NULL                                         | absent         |
/// | `encodeNil(forKey:)`                    | BLOB `entia:null`                            | `null`         |
/// | `.some(nil)`, an optional that contains `nil` | BLOB `entia:some:null`                 | `null`         |
/// | `Bool`                                  | INTEGER 0 or 1                               | `false`, `true` |
/// | `Int` … `Int64`, `UInt` … `UInt64`      | INTEGER; from 2^63, BLOB `entia:` and digits | number         |
/// | `Double`, `Float`                       | REAL                                         | number         |
/// | NaN                                     | BLOB `entia:NaN:` and the bits in hex        | `"$NaN"`       |
/// | infinities                              | REAL                                         | `"$Infinity"`, `"$-Infinity"` |
/// | `String`                                | TEXT; it may contain NUL                     | string         |
/// | `Data`                                  | BLOB; data that begin with `entia:`, BLOB `entia:data:` and the data | base64 string |
/// | `Date`                                  | REAL, seconds since 1 January 2001, UTC      | number         |
/// | `UUID`                                  | TEXT                                         | string         |
/// | `URL`                                   | TEXT; with a base URL, JSON of both          | string         |
/// | `Decimal`                               | TEXT                                         | number         |
/// | an ID, `RawRepresentable`, `Optional`   | as its raw or wrapped value                  | the same       |
/// | arrays, dictionaries, structures, enums with payloads | TEXT, JSON with sorted keys    | the same       |
///
/// The elements of a set, and the keys of a dictionary that is written as an array, are in the
/// order of their JSON, so that equal values have equal texts.
///
/// A type that encodes itself as a single value without being `RawRepresentable` may accept several
/// kinds of values. Values of such a type are stored as a BLOB if they are ambiguous in SQLite:
///
/// - a `Bool` is `entia:true` or `entia:false`;
/// - a string that is also a JSON array or object is `entia:text:` and the string;
/// - a decimal number is `entia:decimal:` and its digits;
/// - a floating-point number that is an ID is `entia:real:` and its bits in hex, because SQLite
///   takes `1` and `1.0` as one key.
///
/// More forms can be read, so that records without types and rows of other programs are accepted:
///
/// - an INTEGER for a `Double`, and a REAL without fraction for an integer;
/// - a base64 TEXT for `Data`;
/// - a TEXT or a nested string for a `Date`: ISO 8601, also with a space in place of the `T`,
///   without seconds or without a time. Without a zone, it is in UTC;
/// - a BLOB of 16 bytes or its base64 TEXT for a `UUID`.
///
/// A type that accepts several kinds of values reads such a text as a date, and such a BLOB or TEXT
/// as a UUID, only if the type accepts the value in no other way. The next save of the row writes
/// the form of the table above.
///
/// Nested values lose what `JSONEncoder` and `JSONDecoder` lose: the sign and the bits of NaN, the
/// base of a URL, and an optional that contains `nil`. If a type accepts several kinds of values,
/// nested values also lose the strings `$NaN`, `$Infinity` and `$-Infinity` and the difference
/// between 1 and 1.0. A nested decimal NaN cannot be stored.
enum StoredForm {
  /// The first bytes of a BLOB that represents a value without a form of its own in SQLite.
  static let mark = Array("entia:".utf8)

  /// The form of an explicit `nil`.
  static let explicitNil = marked("null")

  /// The form of an optional that contains `nil`.
  static let presentNil = marked("some:null")

  /// Returns the form of an optional, given the form of its wrapped value. If the wrapped value is
  /// `nil`, the form is `presentNil`, because `explicitNil` is the form of the outer `nil`.
  static func present(_ form: StoredValue) -> StoredValue {
    form == explicitNil ? presentNil : form
  }

  /// Returns the BLOB that consists of `mark` and a text.
  static func marked(_ text: String) -> StoredValue { .blob(mark + text.utf8) }

  /// Returns the bytes after `mark`, or `nil` if the value is not a BLOB that begins with `mark`.
  static func markedBytes(of value: StoredValue) -> ArraySlice<UInt8>? {
    guard case .blob(let bytes) = value, bytes.starts(with: mark) else { return nil }
    return bytes.dropFirst(mark.count)
  }

  /// Returns the text after `mark`, or `nil` if the value is not a BLOB that begins with `mark`, or
  /// the text is not UTF-8.
  static func markedText(of value: StoredValue) -> String? {
    guard let bytes = markedBytes(of: value) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    return bytes.withUnsafeBytes { text.isRepaired(from: $0) } ? nil : text
  }
}

// Swift to SQLite.
extension StoredForm {
  /// Returns the form of a Boolean value.
  /// - Parameter isAmbiguous: Whether the type that reads the value accepts several kinds of
  ///   values.
  static func form(of value: Bool, isAmbiguous: Bool = false) -> StoredValue {
    isAmbiguous ? marked(value ? "true" : "false") : .integer(value ? 1 : 0)
  }

  /// Returns the form of an integer.
  static func form(of value: some FixedWidthInteger) -> StoredValue {
    Int64(exactly: value).map(StoredValue.integer) ?? marked("\(value)")
  }

  /// Returns the form of a floating-point number.
  static func form(of value: Double) -> StoredValue {
    value.isNaN ? marked("NaN:" + String(value.bitPattern, radix: 16)) : .real(value)
  }

  /// Returns the form of a floating-point number.
  static func form(of value: Float) -> StoredValue {
    value.isNaN ? marked("NaN:" + String(value.bitPattern, radix: 16)) : .real(Double(value))
  }

  /// Returns the form of a string.
  /// - Parameter isAmbiguous: Whether the type that reads the value accepts several kinds of
  ///   values.
  static func form(of value: String, isAmbiguous: Bool = false) -> StoredValue {
    isAmbiguous && isContainer(value) ? marked("text:" + value) : .text(value)
  }

  /// Returns the form of data.
  static func form(of value: Data) -> StoredValue {
    let bytes = [UInt8](value)
    return bytes.starts(with: mark) ? .blob(mark + "data:".utf8 + bytes) : .blob(bytes)
  }

  /// Returns the form of a decimal number.
  /// - Parameter isAmbiguous: Whether the type that reads the value accepts several kinds of
  ///   values.
  static func form(of value: Decimal, isAmbiguous: Bool = false) -> StoredValue {
    isAmbiguous ? marked("decimal:\(value)") : .text(value.description)
  }

  /// Returns the form of an ID as a unique key. A floating-point number gets another key than an
  /// equal integer.
  static func distinct(_ form: StoredValue) -> StoredValue {
    guard case .real(let number) = form else { return form }
    return marked("real:" + String(number.bitPattern, radix: 16))
  }

  /// Returns the form of a URL.
  /// - Throws: `EncodingError` when a URL with a base cannot be encoded.
  static func form(of value: URL, _ json: NestedJSON) throws -> StoredValue {
    guard let base = value.baseURL else { return .text(value.relativeString) }
    return .text(
      try json.text(of: ["base": base.absoluteString, "relative": value.relativeString]))
  }

  /// Whether a text is a JSON array or a JSON object.
  static func isContainer(_ text: String) -> Bool {
    guard let first = text.utf8.first(where: { ![9, 10, 13, 32].contains($0) }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return false }
    do {
      _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
      return true
    } catch {
      // A text that is no JSON is a plain string.
      return false
    }
  }
}

// SQLite to Swift: `nil` when a value is of another type.
extension StoredForm {
  /// Whether the value represents `nil`.
  static func isNil(_ value: StoredValue) -> Bool {
    value == .null || value == explicitNil || value == presentNil
  }

  /// Returns a Boolean value.
  static func bool(_ value: StoredValue, isAmbiguous: Bool = false) -> Bool? {
    switch value {
    case .integer(0) where !isAmbiguous: return false
    case .integer(1) where !isAmbiguous: return true
    default:
      switch markedText(of: value) {
      case "true": return true
      case "false": return false
      default: return nil
      }
    }
  }

  /// Returns an integer.
  static func integer<Number: FixedWidthInteger>(
    _ value: StoredValue, isAmbiguous: Bool = false
  ) -> Number? {
    switch value {
    case .integer(let number): Number(exactly: number)
    case .real(let number): isAmbiguous ? nil : Number(exactly: number)
    default: markedText(of: value).flatMap { Number($0) }
    }
  }

  /// Returns a floating-point number.
  static func double(_ value: StoredValue) -> Double? {
    switch value {
    case .real(let number): return number
    case .integer(let number): return Double(number)
    default:
      guard let text = markedText(of: value) else { return nil }
      for prefix in ["NaN:", "real:"] where text.hasPrefix(prefix) {
        guard let bits = UInt64(text.dropFirst(prefix.count), radix: 16) else { return nil }
        // A NaN that was saved as a `Float` has 32 bits.
        if prefix == "NaN:", let bits = UInt32(exactly: bits) {
          return Double(Float(bitPattern: bits))
        }
        return Double(bitPattern: bits)
      }
      // `Double` would accept names such as "nan".
      return text.utf8.last.map { (48...57).contains($0) } == true ? Double(text) : nil
    }
  }

  /// Returns a floating-point number.
  static func float(_ value: StoredValue) -> Float? {
    if let text = markedText(of: value), text.hasPrefix("NaN:"),
      let bits = UInt32(text.dropFirst(4), radix: 16)
    {
      return Float(bitPattern: bits)
    }
    guard let number = double(value) else { return nil }
    let rounded = Float(number)
    // A number that is too large for `Float` is an error, as it is in a nested value.
    return rounded.isInfinite && !number.isInfinite ? nil : rounded
  }

  /// Returns a string.
  static func string(_ value: StoredValue, isAmbiguous: Bool = false) -> String? {
    if case .text(let text) = value { return isAmbiguous && isContainer(text) ? nil : text }
    guard let text = markedText(of: value), text.hasPrefix("text:") else { return nil }
    return String(text.dropFirst(5))
  }

  /// Returns a date.
  static func date(_ value: StoredValue, isAmbiguous: Bool = false) -> Date? {
    if let seconds = double(value) { return Date(timeIntervalSinceReferenceDate: seconds) }
    guard !isAmbiguous, case .text(let text) = value else { return nil }
    return ISO8601Text.sqliteDate(text)
  }

  /// Returns a UUID.
  static func uuid(_ value: StoredValue, isAmbiguous: Bool = false) -> UUID? {
    if let id = string(value).flatMap(UUID.init(uuidString:)) { return id }
    guard !isAmbiguous, let data = data(value), data.count == 16 else { return nil }
    return data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// Returns data.
  static func data(_ value: StoredValue) -> Data? {
    switch value {
    case .text(let text): return Data(base64Encoded: text)
    case .blob(let bytes):
      guard let marked = markedBytes(of: value) else { return Data(bytes) }
      return marked.starts(with: "data:".utf8) ? Data(marked.dropFirst(5)) : nil
    default: return nil
    }
  }

  /// Returns a URL.
  static func url(_ value: StoredValue, _ json: NestedJSON) -> URL? {
    guard case .text(let text) = value else { return nil }
    guard isContainer(text) else { return URL(string: text) }
    do {
      let parts = try json.value([String: String].self, of: text)
      guard let base = parts["base"], let relative = parts["relative"] else { return nil }
      return URL(string: relative, relativeTo: URL(string: base))
    } catch {
      // The object is no URL. The caller reports it with the table, row and column.
      return nil
    }
  }

  /// Returns a decimal number.
  static func decimal(_ value: StoredValue, isAmbiguous: Bool = false) -> Decimal? {
    switch value {
    case .text(let text): return isAmbiguous ? nil : decimal(of: text)
    case .integer(let number): return Decimal(number)
    case .real(let number): return Decimal(string: "\(number)")
    default:
      guard let text = markedText(of: value) else { return nil }
      let prefix = "decimal:"
      return decimal(of: text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text)
    }
  }

  /// Returns the number for a text, or `nil` unless the whole text is a number.
  private static func decimal(of text: String) -> Decimal? {
    if text == "NaN" { return .nan }
    // `Decimal(string:)` ignores text after a number. `Double` checks that the whole text is a
    // number, but accepts texts such as "inf" and "0x1F", which `isNumeric` excludes.
    let isNumeric = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    guard isNumeric, Double(text) != nil else { return nil }
    return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }
}

extension RowChunk {
  /// Sets a value to the form of a floating-point number.
  @inline(__always)
  func set(_ number: Double, at index: Int) {
    if number.isNaN { return set(StoredForm.form(of: number), at: index) }
    setValue(.real(number), at: index)
  }
}

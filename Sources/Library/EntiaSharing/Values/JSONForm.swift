package import EntiaCoding
import Foundation

/// The encoding of Swift values as `jsonb`, defined only here.
///
/// | Swift                                   | JSON                                                 |
/// |-----------------------------------------|------------------------------------------------------|
/// | `nil`, a member that is not encoded     | absent                                               |
/// | `encodeNil(forKey:)`                    | `null`                                               |
/// | `Bool`                                  | `true`, `false`                                      |
/// | `Int` … `UInt64`                        | number                                               |
/// | `Double`, `Float`                       | number with a point                                  |
/// | NaN                                     | `"$NaN:"` and the bits in hex                        |
/// | infinities, -0.0                        | `"$Infinity"`, `"$-Infinity"`, `"$-0"`               |
/// | `String`                                | string                                               |
/// | a string that begins with `$` or has U+0000 | `"$text:"` and the string, with `^0` for U+0000 and `^^` for `^` |
/// | `Data`                                  | base64 string                                        |
/// | `Date`                                  | number, seconds since 1 January 2001, UTC            |
/// | `UUID`                                  | string                                               |
/// | `URL`                                   | string; with a base URL, an object of both           |
/// | `Decimal`                               | number; NaN is `"$NaN"`                              |
/// | an ID, `RawRepresentable`, `Optional`   | as its raw or wrapped value                          |
/// | arrays, dictionaries, structures, enums with payloads | as their `encode(to:)`                 |
///
/// Names of members are escaped like strings. `jsonb` has no U+0000, no NaN and no infinities, and
/// drops the sign of zero. `jsonb` keeps the fraction of 100.0, but converts 1.0e2 to 100. Whole
/// numbers are therefore written without exponents, so that a `Double` differs from an integer.
///
/// More forms can be read, so that rows of JSON files are accepted: a string for a `Date`, as
/// `ISO8601Text.sqliteDate(_:)` reads it, and a string with the text of a number for a `Decimal`. A
/// type that accepts several kinds of values reads such a string as a `Date` or a `Decimal` only if
/// the type accepts the string in no other way. An ID must have the form in the table above,
/// because this form is also the key of the row.
enum JSONForm {
  static let maximumDepth = JSONValue.maximumDepth - 8

  private static let escape = UInt8(ascii: "^")

  static func text(_ string: String) -> String {
    guard string.utf8.first == UInt8(ascii: "$") || string.utf8.contains(0) else { return string }
    var bytes = Array("$text:".utf8)
    for byte in string.utf8 {
      switch byte {
      case 0: bytes += [escape, UInt8(ascii: "0")]
      case escape: bytes += [escape, escape]
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the string that a form represents, or `nil` if the form represents no string.
  static func string(_ form: String) -> String? {
    guard form.utf8.first == UInt8(ascii: "$") else { return form }
    guard form.utf8.starts(with: "$text:".utf8) else { return nil }
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in form.utf8.dropFirst(6) {
      if !isEscaped, byte == escape {
        isEscaped = true
        continue
      }
      bytes.append(isEscaped && byte == UInt8(ascii: "0") ? 0 : byte)
      isEscaped = false
    }
    return isEscaped ? nil : String(decoding: bytes, as: UTF8.self)
  }

  static func form(of value: Double) -> JSONValue {
    special(value, bits: UInt64(value.bitPattern)) ?? number(value.description)
  }

  static func form(of value: Float) -> JSONValue {
    special(value, bits: UInt64(value.bitPattern)) ?? number(value.description)
  }

  private static func special(_ value: some BinaryFloatingPoint, bits: UInt64) -> JSONValue? {
    if value.isNaN { return .string("$NaN:" + String(bits, radix: 16)) }
    if value.isInfinite { return .string(value < 0 ? "$-Infinity" : "$Infinity") }
    return value.isZero && value.sign == .minus ? .string("$-0") : nil
  }

  /// Returns the JSON number for the `description` of a floating-point number. A whole number is
  /// written without an exponent.
  private static func number(_ description: String) -> JSONValue {
    let parts = description.split(separator: "e", omittingEmptySubsequences: false)
    guard parts.count == 2, let exponent = Int(parts[1]), exponent > 0 else {
      return .number(JSONNumber(description) ?? JSONNumber(0))
    }
    let mantissa = parts[0].split(separator: ".")
    let fraction = mantissa.count > 1 && mantissa[1] != "0" ? mantissa[1] : ""
    let zeros = String(repeating: "0", count: max(0, exponent - fraction.count))
    return .number(JSONNumber("\(mantissa[0])\(fraction)\(zeros).0") ?? JSONNumber(0))
  }

  static func double(_ value: JSONValue) -> Double? {
    switch JSONTextForm.unescaped(value) {
    case .number(let number): finite(Double(number.text))
    case .string(let form):
      special(form) { Double(bitPattern: $0) }
    default: nil
    }
  }

  static func float(_ value: JSONValue) -> Float? {
    switch JSONTextForm.unescaped(value) {
    case .number(let number): finite(Float(number.text))
    case .string(let form):
      special(form) { UInt32(exactly: $0).map(Float.init(bitPattern:)) }
    default: nil
    }
  }

  private static func finite<Number: BinaryFloatingPoint>(_ number: Number?) -> Number? {
    number.flatMap { $0.isFinite ? $0 : nil }
  }

  private static func special<Number: BinaryFloatingPoint>(
    _ form: String, ofBits: (UInt64) -> Number?
  ) -> Number? {
    switch form {
    case "$Infinity": return .infinity
    case "$-Infinity": return -.infinity
    case "$-0": return -0.0
    default:
      guard form.hasPrefix("$NaN:"), let bits = UInt64(form.dropFirst(5), radix: 16),
        let number = ofBits(bits), number.isNaN
      else { return nil }
      return number
    }
  }

  static func integer<Number: FixedWidthInteger>(_ value: JSONValue) -> Number? {
    // A number with a decimal point is a floating-point number, even if its fraction is zero.
    if case .number(let number) = value { return Number(number.text) }
    return nil
  }

  static func form(of value: Decimal) -> JSONValue {
    if value.isNaN { return .string("$NaN") }
    return .number(JSONNumber(value.description) ?? JSONNumber(0))
  }

  /// Returns a decimal number.
  /// - Parameter isExact: Whether a string with the text of a number is refused.
  static func decimal(_ value: JSONValue, isExact: Bool) -> Decimal? {
    switch JSONTextForm.unescaped(value) {
    case .number(let number):
      Decimal(string: number.text, locale: Locale(identifier: "en_US_POSIX"))
    case .string("$NaN"): .nan
    case .string("$-0"): 0
    case .string(let text) where !isExact:
      JSONNumber(text).flatMap { decimal(.number($0), isExact: true) }
    default: nil
    }
  }

  /// Returns a description of the kind of a value, for messages.
  static func kind(of value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool: "a Boolean value"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// The keys of rows in the server. A key is the JSON of the ID as text. Equal IDs have the same
/// key, even if the spellings of their characters or the signs of zeros differ.
enum ServerKey {
  /// The maximum number of bytes of a key. An index entry can have at most about 2,700 bytes, and
  /// also contains the names of the space and of the part.
  static let maximumLength = 1_800

  static func key(of id: JSONValue) -> String {
    String(decoding: normalized(id).bytes(), as: UTF8.self)
  }

  private static func normalized(_ value: JSONValue) -> JSONValue {
    switch value {
    // In Swift, two spellings of a character are equal, and so are 0 and -0.
    case .string("$-0"): .number(JSONNumber("0.0") ?? JSONNumber(0))
    case .string(let text): .string(text.precomposedStringWithCanonicalMapping)
    case .array(let elements): .array(elements.map(normalized))
    case .object(let members):
      .object(
        members.map { member in
          JSONValue.Member(
            member.name.precomposedStringWithCanonicalMapping, normalized(member.value))
        }
        .sorted { ExactString($0.name) < ExactString($1.name) })
    case .null, .bool, .number: value
    }
  }
}

/// The exact forms of JSON values without a Swift type.
///
/// | JSON                                                  | form                          |
/// |-------------------------------------------------------|-------------------------------|
/// | a number with an exponent, `-0`, a number of 1,000 digits | `"$number:"` and the text |
/// | `-0.0`                                                | `"$-0"`                       |
/// | `1e999`, `-1e999`, which stand for the infinities     | `"$Infinity"`, `"$-Infinity"` |
/// | a value that nests deeper than 500 levels             | `"$json:"` and the text       |
/// | a string                                              | as a Swift string             |
package enum JSONTextForm {
  private static let number = "$number:"
  private static let json = "$json:"
  /// The maximum nesting depth of values that are stored as `jsonb`. The limit leaves room for the
  /// levels that a row and a statement add around such a value.
  private static let maximumDepth = 500
  /// The maximum length of a number that is stored as a number. A longer number may exceed the
  /// limits of the server.
  private static let maximumLength = 1000

  /// Returns the form of a JSON text.
  package static func form(of text: JSONText) -> JSONValue {
    do throws(JSONError) {
      let value = try text.value()
      if depth(of: value) <= maximumDepth { return form(of: value) }
    } catch {
      // The text is nested more deeply than a JSON value may be.
    }
    return .string(json + text.text)
  }

  /// Returns the form of the name of a part or a member.
  package static func name(_ name: String) -> String { JSONForm.text(name) }

  /// Returns the name that a form represents.
  package static func name(of form: String) -> String { JSONForm.string(form) ?? form }

  /// Returns the key of the row with an ID.
  package static func key(of id: JSONText) -> String { key(ofForm: form(of: id)) }

  /// Returns the key of the row whose ID is represented by the form `id`.
  package static func key(ofForm id: JSONValue) -> String { ServerKey.key(of: id) }

  /// Whether a form contains NaN, which JSON cannot represent.
  package static func hasNaN(_ form: JSONValue) -> Bool {
    switch form {
    case .null, .bool, .number: false
    case .string(let text): text == "$NaN" || text.hasPrefix("$NaN:")
    case .array(let elements): elements.contains(where: hasNaN)
    case .object(let members): members.contains { hasNaN($0.value) }
    }
  }

  /// Returns the JSON text of a form. A string that is not a valid form is returned as a string.
  package static func text(of form: JSONValue) -> JSONText {
    if case .string(let string) = form, string.utf8.starts(with: json.utf8) {
      do throws(JSONError) {
        return try JSONText.parse(Array(string.utf8.dropFirst(json.utf8.count)))
      } catch {
        return JSONText(form)
      }
    }
    return JSONText(value(of: form))
  }

  // These functions may recurse, because they handle only values of limited depth. Deeper values
  // are stored as texts.

  private static func form(of value: JSONValue) -> JSONValue {
    switch value {
    case .null, .bool: value
    case .number(let number): form(of: number)
    case .string(let string): .string(JSONForm.text(string))
    case .array(let elements): .array(elements.map(form))
    case .object(let members):
      .object(members.map { JSONValue.Member(JSONForm.text($0.name), form(of: $0.value)) })
    }
  }

  private static func value(of form: JSONValue) -> JSONValue {
    switch form {
    case .null, .bool, .number: form
    case .string(let text): value(ofText: text)
    case .array(let elements): .array(elements.map(value))
    case .object(let members):
      .object(
        members.map { JSONValue.Member(JSONForm.string($0.name) ?? $0.name, value(of: $0.value)) })
    }
  }

  /// The forms and the JSON texts of numbers that are stored as strings. Because JSON has no
  /// infinities, the text of an infinity is a number that no `Double` can hold. Programs read such
  /// a number as an infinity, or refuse it.
  private static let special = [("$-0", "-0.0"), ("$Infinity", "1e999"), ("$-Infinity", "-1e999")]

  private static func form(of number: JSONNumber) -> JSONValue {
    let text = number.text
    if let special = special.first(where: { $0.1 == text }) { return .string(special.0) }
    let hasExponent = text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
    let isNegativeZero =
      text.utf8.first == UInt8(ascii: "-")
      && text.utf8.dropFirst().allSatisfy { [UInt8(ascii: "0"), UInt8(ascii: ".")].contains($0) }
    if hasExponent || isNegativeZero || text.utf8.count > maximumLength {
      return .string(Self.number + text)
    }
    return .number(number)
  }

  private static func value(ofText form: String) -> JSONValue {
    if let string = JSONForm.string(form) { return .string(string) }
    let text = special.first { $0.0 == form }?.1
    return (text.flatMap { JSONNumber($0) } ?? number(form)).map(JSONValue.number) ?? .string(form)
  }

  /// Returns the number of a form, or the value itself if it is not the form of a number.
  static func unescaped(_ value: JSONValue) -> JSONValue {
    guard case .string(let form) = value, let number = number(form) else { return value }
    return .number(number)
  }

  private static func number(_ form: String) -> JSONNumber? {
    guard form.utf8.starts(with: number.utf8) else { return nil }
    return JSONNumber(String(form.dropFirst(number.count)))
  }

  private static func depth(of value: JSONValue) -> Int {
    switch value {
    case .null, .bool, .number, .string: 0
    case .array(let elements): 1 + (elements.map(depth).max() ?? 0)
    case .object(let members): 1 + (members.map { depth(of: $0.value) }.max() ?? 0)
    }
  }
}

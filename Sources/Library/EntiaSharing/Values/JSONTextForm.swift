package import EntiaCoding

/// The exact forms of JSON values without a Swift type.
///
/// | JSON                                                  | form                          |
/// |-------------------------------------------------------|-------------------------------|
/// | a number with an exponent, `-0`, a number of 1,000 digits | `"$number:"` and the text |
/// | `-0.0`                                                | `"$-0"`                       |
/// | a value that nests deeper than 500 levels             | `"$json:"` and the text       |
/// | a string                                              | as a Swift string             |
package enum JSONTextForm {
  private static let number = "$number:"
  private static let json = "$json:"
  /// The maximum nesting depth of values that are stored as `jsonb`. Such values are nested in a
  /// row and in a statement.
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

  /// Returns the name that a text is the form of.
  package static func name(of form: String) -> String { JSONForm.string(form) ?? form }

  /// Returns the key of the row with an ID.
  package static func key(of id: JSONText) -> String { ServerKey.key(of: form(of: id)) }

  /// Returns the JSON text that a value is the form of. A string that is not a valid form is
  /// returned as a string.
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

  // Recursive: the depth of a value that is not stored as a text is limited.

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

  private static func form(of number: JSONNumber) -> JSONValue {
    let text = number.text
    if text == "-0.0" { return .string("$-0") }
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
    if form == "$-0", let zero = JSONNumber("-0.0") { return .number(zero) }
    return number(form).map(JSONValue.number) ?? .string(form)
  }

  /// Returns the number that a value is the form of, or the value itself if it is no such form.
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

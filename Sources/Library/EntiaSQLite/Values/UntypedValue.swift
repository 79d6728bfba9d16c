import Foundation

/// A JSON value in a column without a Swift type.
///
/// The value is stored in the same forms as values of Swift types. A program can therefore open the
/// file with a storage of Swift types. JSON makes distinctions that these forms do not make. The
/// distinctions are stored separately:
///
/// - The kind of each column distinguishes `true` from 1, and a string from the text of an array.
/// - The spelling of a number is stored separately if it differs from Swift's, as in `19.90`. The
///   number itself is a REAL, or an INTEGER if a REAL would be another integer.
package enum UntypedValue: Equatable, Sendable {
  case null
  case bool(Bool)
  /// A number, as JSON text.
  case number(String)
  case string(String)
  /// An array or an object, as JSON text.
  case nested(String)

  /// The common kind of all values of a column, except `null`.
  package enum ColumnKind: String, Sendable {
    case booleans, strings, mixed
  }

  /// The kind of a column with only values like this one; `nil` for `null`.
  package var columnKind: ColumnKind? {
    switch self {
    case .null: nil
    case .bool: .booleans
    case .string: .strings
    case .number, .nested: .mixed
    }
  }

  /// Returns the form of the value in SQLite.
  /// - Parameter kind: The kind of the column.
  /// - Returns: The form, and the number's text if the form does not determine it.
  package func form(in kind: ColumnKind) -> (value: StoredValue, spelling: String?) {
    switch self {
    case .null: (StoredForm.explicitNil, nil)
    case .bool(let value): (StoredForm.form(of: value, isAmbiguous: kind != .booleans), nil)
    case .number(let text): Self.form(ofNumber: text)
    case .string(let text):
      kind != .strings && Self.looksNested(text)
        ? (StoredForm.marked("text:" + text), nil) : (.text(text), nil)
    case .nested(let text): (.text(text), nil)
    }
  }

  /// Returns the form of the value in a column with a declared type. SQLite stores the form without
  /// a conversion to that type.
  /// - Parameters:
  ///   - kind: The kind of the column.
  ///   - type: The declared type of the column; empty without one.
  /// - Returns: The form, and the number's text if the form does not determine it.
  package func form(
    in kind: ColumnKind, declaredAs type: String
  ) -> (value: StoredValue, spelling: String?) {
    switch self {
    case .number(let text) where kind == .booleans || type == "TEXT" || type == "BOOLEAN":
      (StoredForm.marked(text), nil)
    case .string(let text) where type == "BOOLEAN": (StoredForm.marked("text:" + text), nil)
    default: form(in: kind)
    }
  }

  private static func form(ofNumber text: String) -> (value: StoredValue, spelling: String?) {
    if let number = Int64(text), String(number) == text { return (.integer(number), nil) }
    let isInteger = text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (48...57).contains($0) }
    guard !isInteger, let number = Double(text), number.isFinite else {
      return (StoredForm.marked(text), nil)
    }
    // A great integer such as `9007199254740993.0` is another integer as a REAL.
    if number.magnitude >= 0x1p53, let integer = Decimal(string: text).flatMap({ Int64("\($0)") }),
      Int64(exactly: number) != integer
    {
      return (.integer(integer), text)
    }
    return (.real(number), "\(number)" == text ? nil : text)
  }

  /// The form of the value as an ID. The form alone determines the value.
  package var idForm: StoredValue {
    let (value, spelling) = form(in: .strings)
    return spelling.map(StoredForm.marked) ?? value
  }

  /// Creates the value of a form; `nil` for NULL, a missing value.
  /// - Parameters:
  ///   - value: The form.
  ///   - kind: The kind of the column.
  package init?(_ value: StoredValue, in kind: ColumnKind = .mixed) {
    switch value {
    case .null: return nil
    case .integer(let number):
      self =
        kind == .booleans && (number == 0 || number == 1)
        ? .bool(number == 1) : .number(String(number))
    case .real(let number):
      self =
        number.isFinite ? .number("\(number)") : .string(number > 0 ? "$Infinity" : "$-Infinity")
    case .text(let text):
      self = kind != .strings && Self.looksNested(text) ? .nested(text) : .string(text)
    case .blob(let bytes):
      self = Self.marked(value) ?? .string(Data(bytes).base64EncodedString())
    }
  }

  private static func marked(_ value: StoredValue) -> UntypedValue? {
    guard let bytes = StoredForm.markedBytes(of: value), let text = StoredForm.markedText(of: value)
    else { return nil }
    switch text {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default: break
    }
    if text.hasPrefix("text:") { return .string(String(text.dropFirst(5))) }
    if bytes.starts(with: "data:".utf8) {
      return .string(Data(bytes.dropFirst(5)).base64EncodedString())
    }
    if text.hasPrefix("NaN:") { return .string("$NaN") }
    if text.hasPrefix("real:"), let number = StoredForm.double(value) {
      return number.isNaN ? .string("$NaN") : Self(.real(number))
    }
    let digits = text.hasPrefix("decimal:") ? String(text.dropFirst(8)) : text
    let isNumber =
      Double(digits) != nil && digits.utf8.last.map { (48...57).contains($0) } == true
      && digits.utf8.allSatisfy { "+-.eE0123456789".utf8.contains($0) }
    return isNumber ? .number(digits) : nil
  }

  /// Whether a value is the form of a number with the given JSON text.
  package static func isForm(_ value: StoredValue, ofNumber text: String) -> Bool {
    switch value {
    case .real, .integer: form(ofNumber: text).value == value
    case .null, .text, .blob: false
    }
  }

  /// Whether a text may be a JSON array or object.
  private static func looksNested(_ text: String) -> Bool {
    let first = text.utf8.first { ![9, 10, 13, 32].contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}

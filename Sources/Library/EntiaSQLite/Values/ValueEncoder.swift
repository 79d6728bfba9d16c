import EntiaCoding
import EntiaDatabase
import Foundation

/// Encodes the value of one member.
final class ValueEncoder {
  let json = NestedJSON()
  /// The types that have encoded themselves as JSON arrays or objects.
  private var nestedTypes: Set<ObjectIdentifier> = []

  /// Returns the form of a value.
  /// - Parameters:
  ///   - value: The value.
  ///   - isAmbiguous: Whether the type that reads the value accepts several kinds of values.
  ///   - path: The members that lead to the value.
  /// - Throws: The error that encoding the value throws.
  func form<Value: Encodable>(
    of value: Value, isAmbiguous: Bool = false, at path: [any CodingKey]
  ) throws -> StoredValue {
    func cast<Same>(_ type: Same.Type) -> Same { unsafeBitCast(value, to: type) }
    let type: Any.Type = Value.self
    if type == String.self {
      return StoredForm.form(of: cast(String.self), isAmbiguous: isAmbiguous)
    }
    if type == Int.self { return StoredForm.form(of: cast(Int.self)) }
    if type == Double.self { return StoredForm.form(of: cast(Double.self)) }
    if type == Bool.self { return StoredForm.form(of: cast(Bool.self), isAmbiguous: isAmbiguous) }
    if type == Date.self {
      return StoredForm.form(of: cast(Date.self).timeIntervalSinceReferenceDate)
    }
    if type == UUID.self { return .text(cast(UUID.self).uuidString) }
    if type == Data.self { return StoredForm.form(of: cast(Data.self)) }
    if type == Float.self { return StoredForm.form(of: cast(Float.self)) }
    if type == URL.self { return try StoredForm.form(of: cast(URL.self), json) }
    if type == Decimal.self {
      return StoredForm.form(of: cast(Decimal.self), isAmbiguous: isAmbiguous)
    }
    if let number = value as? any FixedWidthInteger & Encodable {
      return StoredForm.form(of: number)
    }
    return try formOfOther(value, isAmbiguous: isAmbiguous, at: path)
  }

  /// Returns the JSON text of a value that encodes itself as an array or an object; `nil` for any
  /// other value. Values of one type may differ in this respect, such as the cases of an enum.
  private func containerText(of value: some Encodable) -> String? {
    do {
      let text = try json.text(of: value)
      return text.hasPrefix("{") || text.hasPrefix("[") ? text : nil
    } catch {
      // `error` is not lost, because the caller encodes the value again. The caller stores `{}` for
      // a value that encodes nothing. For any other value, the caller throws `error`.
      return nil
    }
  }

  private func formOfOther<Value: Encodable>(
    _ value: Value, isAmbiguous: Bool, at path: [any CodingKey]
  ) throws -> StoredValue {
    let type = ObjectIdentifier(Value.self)
    if nestedTypes.contains(type), let text = containerText(of: value) { return .text(text) }
    let cell = CellDestination(
      .value(self, isAmbiguous: isAmbiguous || !isTransparent(Value.self)), codingPath: path)
    try value.encode(to: DestinationEncoder(cell))
    if let result = cell.result {
      return Value.self is any OptionalType.Type && !cell.isNil
        ? StoredForm.present(result) : result
    }
    // The value encodes nothing. JSONEncoder would throw.
    if !cell.isNested { return .text("{}") }
    nestedTypes.insert(type)
    return .text(try json.text(of: value, at: path))
  }
}

/// The destination of a value that encodes itself.
final class CellDestination: EncodingDestination {
  enum Place {
    /// The form of the value becomes `CellDestination.result`. `isAmbiguous` is `true` if the type
    /// that reads the value accepts several kinds of values.
    case value(ValueEncoder, isAmbiguous: Bool)
    /// A member of the row that is being encoded. The type that reads the member may accept several
    /// kinds of values.
    case member(String, RowCells)
    /// The value is ignored, because it is nested in another value. That other value is later
    /// encoded as JSON text, including all nested values.
    case none
  }

  private let place: Place
  let codingPath: [any CodingKey]
  /// The form of the value, once it has encoded itself as a single value.
  private(set) var result: StoredValue?
  /// Whether the value encodes itself as `nil`.
  private(set) var isNil = false
  /// Whether the value encodes itself as an array or an object.
  private(set) var isNested = false
  private(set) var count = 0

  init(_ place: Place, codingPath: [any CodingKey]) {
    self.place = place
    self.codingPath = codingPath
  }

  /// Creates an encoder that ignores all values.
  static func ignoring() -> DestinationEncoder<CellDestination> {
    DestinationEncoder(CellDestination(.none, codingPath: []))
  }

  func encodeNil() {
    switch place {
    case .value: (result, isNil) = (StoredForm.explicitNil, true)
    case .member(let name, let row): row.set(StoredForm.explicitNil, name)
    case .none: break
    }
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    switch place {
    case .value(let values, let isAmbiguous):
      result = try values.form(of: value, isAmbiguous: isAmbiguous, at: codingPath)
    case .member(let name, let row):
      row.set(try row.values.form(of: value, isAmbiguous: true, at: codingPath), name)
    case .none: break
    }
  }

  func beginObject() { beginContainer() }
  func beginArray() { beginContainer() }

  private func beginContainer() {
    isNested = true
    if case .member(let name, let row) = place { row.nest(name) }
  }

  func member(_ key: any CodingKey) -> CellDestination {
    CellDestination(.none, codingPath: codingPath + [key])
  }

  func element() -> CellDestination {
    defer { count += 1 }
    return CellDestination(.none, codingPath: codingPath + [NamedKey(count)])
  }
}

/// Returns whether a type encodes itself as its single wrapped value. The type of the stored value
/// is then always the wrapped type.
func isTransparent<Value>(_ type: Value.Type) -> Bool {
  type is any RawRepresentable.Type || type is any WrappingValue.Type
}

/// A type that encodes itself as its one wrapped value.
private protocol WrappingValue {}

private protocol OptionalType: WrappingValue {}

extension Optional: OptionalType {}
extension EntityIdentifier: WrappingValue {}

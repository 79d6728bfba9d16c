import EntiaCoding
import EntiaDatabase
import Foundation

/// The value of one member, from which the member is decoded.
final class CellSource: DecodingSource {
  private let value: StoredValue
  private let json: NestedJSON
  /// Whether the type that reads the value accepts several kinds of values; see `StoredForm`.
  private let isAmbiguous: Bool
  private let path: [any CodingKey]

  init(
    _ value: StoredValue, _ json: NestedJSON, isAmbiguous: Bool = false, at path: [any CodingKey]
  ) {
    (self.value, self.json, self.isAmbiguous, self.path) = (value, json, isAmbiguous, path)
  }

  /// Returns the value, decoded as an instance of a type.
  /// - Throws: `DecodingError` if the stored value does not fit the type; other errors that the
  ///   type throws while it decodes itself.
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decode(type, 0) }

  func codingPath(_ node: Int) -> [any CodingKey] { path }
  func isNull(_ node: Int) -> Bool { StoredForm.isNil(value) }

  func decode<Value: Decodable>(_ type: Value.Type, _ node: Int) throws -> Value {
    func cast<Same>(_ value: Same?, _ same: Same.Type) throws -> Value {
      guard let value else { throw mismatch(type) }
      return unsafeBitCast(value, to: type)
    }
    let any: Any.Type = type
    if any == String.self {
      return try cast(StoredForm.string(value, isAmbiguous: isAmbiguous), String.self)
    }
    if any == Bool.self {
      return try cast(StoredForm.bool(value, isAmbiguous: isAmbiguous), Bool.self)
    }
    if any == Double.self { return try cast(StoredForm.double(value), Double.self) }
    if any == Float.self { return try cast(StoredForm.float(value), Float.self) }
    if any == Date.self {
      return try cast(StoredForm.date(value, isAmbiguous: isAmbiguous), Date.self)
    }
    if any == UUID.self {
      return try cast(StoredForm.uuid(value, isAmbiguous: isAmbiguous), UUID.self)
    }
    if any == Data.self {
      return try cast(StoredForm.data(value), Data.self)
    }
    if any == URL.self { return try cast(StoredForm.url(value, json), URL.self) }
    if any == Decimal.self {
      return try cast(StoredForm.decimal(value, isAmbiguous: isAmbiguous), Decimal.self)
    }
    if let number = type as? any FixedWidthInteger.Type {
      func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> Any? {
        StoredForm.integer(value, isAmbiguous: isAmbiguous) as Number?
      }
      guard let result = integer(number) as? Value else { throw mismatch(type) }
      return result
    }
    do {
      if isAmbiguous || isTransparent(type) { return try Value(from: decoder(0)) }
      let ambiguous = CellSource(value, json, isAmbiguous: true, at: path)
      do {
        return try Value(from: ambiguous.decoder(0))
      } catch {
        // The value may be in the form of an unambiguous type. Another program may have written it,
        // or the member may have had another type when the value was stored.
        do { return try Value(from: decoder(0)) } catch { throw error }
      }
    } catch let error as DecodingError {
      // The error of the JSON decoder does not name the column.
      throw error.inside(path)
    } catch {
      throw hasUnrepresentableNumber(type) ? unrepresentable(error) : error
    }
  }

  /// Returns whether the value is JSON with a number that the expected type cannot hold.
  ///
  /// The decoder of `nestedDecoder(_:)` throws an internal error for such a number. The value is
  /// therefore decoded again by `JSONDecoder.decode(_:from:)`, which throws a `DecodingError` for
  /// the number.
  private func hasUnrepresentableNumber(_ type: (some Decodable).Type) -> Bool {
    guard case .text(let text) = value else { return false }
    do {
      _ = try json.value(type, of: text)
      return false
    } catch {
      return error is DecodingError
    }
  }

  private func unrepresentable(_ error: any Error) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: path, debugDescription: "\(value) has a number that its type cannot hold",
        underlyingError: error))
  }

  // A value with parts is stored as JSON, which `nestedDecoder` reads. The cell itself has no
  // parts.

  func checkObject(_ node: Int) throws { throw mismatch([String: Any].self) }
  func elements(of node: Int) throws -> Range<Int> { throw mismatch([Any].self) }
  func names(of object: Int) -> [String] { [] }
  func member(_ name: String, of object: Int, as type: Any.Type?) -> Int? { nil }

  func otherDecoder(_ node: Int, as type: Any.Type) throws -> (any Decoder)? {
    try nestedDecoder(type)
  }

  /// Returns a decoder of the JSON text.
  /// - Throws: `DecodingError` when the value is not a text with JSON.
  func nestedDecoder(_ type: Any.Type) throws -> any Decoder {
    guard case .text(let text) = value else { throw mismatch(type) }
    do {
      return try json.decoder(of: text, isAmbiguous: isAmbiguous)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: path, debugDescription: "\(value) is not JSON",
          underlyingError: error))
    }
  }

  /// Returns the error for a value that does not fit the expected type.
  func mismatch(_ type: Any.Type) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: path, debugDescription: "expected \(type), found \(value)")
    return StoredForm.isNil(value)
      ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }
}

extension DecodingError {
  /// Returns the error with `path` put in front of its coding path. The error is unchanged if its
  /// coding path already begins with `path`.
  fileprivate func inside(_ path: [any CodingKey]) -> DecodingError {
    func longer(_ context: Context) -> Context {
      if context.codingPath.map(\.stringValue).starts(with: path.map(\.stringValue)) {
        return context
      }
      return Context(
        codingPath: path + context.codingPath, debugDescription: context.debugDescription,
        underlyingError: context.underlyingError)
    }
    return switch self {
    case .keyNotFound(let key, let context): .keyNotFound(key, longer(context))
    case .valueNotFound(let type, let context): .valueNotFound(type, longer(context))
    case .typeMismatch(let type, let context): .typeMismatch(type, longer(context))
    case .dataCorrupted(let context): .dataCorrupted(longer(context))
    @unknown default: self
    }
  }
}

/// Writes the members of the current row of an encoder, for generated code.
///
/// The writer does not retain the `RowCells`, because the encoder retains them.
struct CellWriter: RowWriter {
  static var hasNestedEntities: Bool { false }

  private let row: Unmanaged<RowCells>

  init(_ row: RowCells) { self.row = .passUnretained(row) }

  func setMember(_ name: StaticString, to value: String) {
    row._withUnsafeGuaranteedRef { $0.set(value, name) }
  }

  func setMember(_ name: StaticString, to value: Int) {
    row._withUnsafeGuaranteedRef { $0.setValue(.integer(Int64(value)), name) }
  }

  func setMember(_ name: StaticString, to value: Double) {
    row._withUnsafeGuaranteedRef { $0.set(value, name) }
  }

  func setMember(_ name: StaticString, to value: Bool) {
    row._withUnsafeGuaranteedRef { $0.setValue(.integer(value ? 1 : 0), name) }
  }

  func setValue<Value: Encodable>(_ name: StaticString, to value: Value) throws {
    try row._withUnsafeGuaranteedRef { row in
      let index = row.place(name)
      if row.setScalar(value, at: index) { return }
      row.chunk.set(try Self.form(of: value, name, row), at: index)
    }
  }

  func setPresentValue<Value: Encodable>(_ name: StaticString, to value: Value) throws {
    try row._withUnsafeGuaranteedRef { row in
      let index = row.place(name)
      if row.setScalar(value, at: index) { return }
      row.chunk.set(StoredForm.present(try Self.form(of: value, name, row)), at: index)
    }
  }

  func setMissing(_ name: StaticString) {
    row._withUnsafeGuaranteedRef { $0.setValue(.null, name) }
  }

  func setNull(_ name: StaticString) {
    row._withUnsafeGuaranteedRef { $0.chunk.set(StoredForm.explicitNil, at: $0.place(name)) }
  }

  @inline(never)
  private static func form(
    of value: some Encodable, _ name: StaticString, _ row: RowCells
  ) throws -> StoredValue {
    try row.values.form(of: value, at: [NamedKey(name.description)])
  }
}

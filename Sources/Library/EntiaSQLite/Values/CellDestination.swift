import EntiaCoding

/// The place of a value that encodes itself.
final class CellDestination: EncodingDestination {
  enum Place {
    /// The result of this destination. Several types may be accepted by its reader.
    case value(ValueEncoder, isAmbiguous: Bool)
    /// A member of the row that is being encoded. Its reader may accept several types.
    case member(String, RowCells)
    /// No place: the value is a part of one that is encoded again, as a JSON text.
    case none
  }

  private let place: Place
  let codingPath: [any CodingKey]
  /// The form of the value, once it has encoded itself as a single value.
  private(set) var result: StoredValue?
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
    case .value: result = StoredForm.explicitNil
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

import EntiaCoding
import EntiaDatabase

extension SharedDatabaseError {
  /// Creates the error for an error that the `encode(to:)` of a row threw.
  static func encoding(
    space: String, entity: String, row: String, _ error: any Error
  ) -> Self {
    let (column, reason) = place(of: error)
    return .cannotEncode(
      space: space, entity: entity, row: row, column: column, reason: reason)
  }

  /// Creates the error for an error that the `init(from:)` of a row threw.
  static func decoding(
    space: String, entity: String, row: String, _ error: any Error
  ) -> Self {
    let (column, reason) = place(of: error)
    return .cannotDecode(
      space: space, entity: entity, row: row, column: column, reason: reason)
  }

  /// Returns the member and the reason of an error of `Codable`.
  static func place(of error: any Error) -> (column: String?, reason: String) {
    let (path, reason): ([any CodingKey], String) =
      switch error {
      case let error as LossyCoding: (error.path.map { NamedKey($0) }, error.reason)
      case DecodingError.keyNotFound(let key, let context):
        (context.codingPath + [key], context.debugDescription)
      case DecodingError.valueNotFound(_, let context),
        DecodingError.typeMismatch(_, let context), DecodingError.dataCorrupted(let context):
        (context.codingPath, context.debugDescription)
      case EncodingError.invalidValue(_, let context):
        (context.codingPath, context.debugDescription)
      default: ([], "\(error)")
      }
    let names = path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
    return (names.isEmpty ? nil : names.joined(separator: "."), reason)
  }
}

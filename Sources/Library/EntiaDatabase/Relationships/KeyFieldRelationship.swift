/// A relationship whose key may be a named field.
package protocol KeyFieldRelationship {
  /// The name of the field that is the key; `nil` when the key is derived from a field.
  var keyFieldName: String? { get }
}

extension ToOne: KeyFieldRelationship {
  package var keyFieldName: String? {
    switch key {
    case .required(let reader): fieldName(reader.path)
    case .optional(let reader): fieldName(reader.path)
    case .derived: nil
    }
  }
}

extension ToMany: KeyFieldRelationship {
  package var keyFieldName: String? {
    if case .list(let reader) = key { fieldName(reader.path) } else { nil }
  }
}

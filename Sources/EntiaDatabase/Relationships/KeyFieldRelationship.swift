/// A relationship whose key may be a field that has a name.
package protocol KeyFieldRelationship {
  /// The name of the field that is the key; `nil` where the key is derived from one.
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

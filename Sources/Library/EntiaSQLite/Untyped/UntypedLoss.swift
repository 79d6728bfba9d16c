/// A value that reading it as JSON changes.
package enum UntypedLoss: Hashable, CaseIterable, Sendable {
  /// A BLOB, unless Entia stores a value of JSON as one.
  case blob
  /// A text whose bytes are not UTF-8.
  case text
  /// An infinite number.
  case number
}

extension SQLiteStatement {
  /// Returns what reading a value of the current row as JSON loses; `nil` for most values.
  /// - Parameter isOwn: Whether Entia wrote the file.
  package func loss(at index: Int, isOwn: Bool) -> UntypedLoss? {
    switch row.column(index) {
    case .null, .integer: return nil
    case .real(let number): return number.isFinite ? nil : .number
    case .text(let bytes):
      // A repaired text has other bytes.
      return bytes.allSatisfy { $0 < 0x80 }
        || String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes) ? nil : .text
    case .blob(let bytes): return isOwn && bytes.starts(with: StoredForm.mark) ? nil : .blob
    }
  }
}

extension String {
  /// Returns whether two strings have the same bytes.
  ///
  /// `==` compares by Unicode equivalence, but two equivalent IDs with different bytes are
  /// different IDs.
  @inlinable
  package func isExactly(_ other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let isEqual = withBytes { left in
      other.withBytes { right in ByteRange.areEqual(left, right) }
    }
    return (isEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// Returns whether the string has exactly these bytes.
  @inlinable
  @inline(__always)
  package func hasExactly(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard utf8.count == bytes.count else { return false }
    return withBytes { ByteRange.areEqual($0, bytes) } ?? utf8.elementsEqual(bytes)
  }

  /// Calls the closure with the string's bytes, or returns nil if they are not contiguous in
  /// memory.
  @inlinable
  @inline(__always)
  package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result? {
    utf8.withContiguousStorageIfAvailable(body)
  }

  /// Returns whether this string's bytes order before those of another.
  @inlinable
  package func precedesExactly(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// Hashes the bytes and their number.
  @inlinable
  @inline(__always)
  package func hashExactly(into hasher: inout Hasher) {
    let isHashed: Void? = utf8.withContiguousStorageIfAvailable {
      hasher.combine($0.count)
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isHashed == nil {
      hasher.combine(utf8.count)
      for byte in utf8 { hasher.combine(byte) }
    }
  }

  /// Returns the string, shortened with an ellipsis if it is too long for a message.
  package func excerpt(_ limit: Int = 60) -> String {
    guard utf8.count > limit else { return self }
    return String(prefix(limit)) + "…"
  }

  /// The string as a JSON string, shortened for a message.
  package var quoted: String {
    var bytes: [UInt8] = []
    JSONWriter.append(string: excerpt(), to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension BinaryInteger {
  /// Returns the number and a noun, in the plural unless the number is 1: `1 row`, `2 rows`.
  ///
  /// - Parameter plural: The plural of the noun; nil to append an s.
  package func counted(_ noun: String, _ plural: String? = nil) -> String {
    "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
  }
}

/// A string that is compared, ordered and hashed by its bytes.
@usableFromInline
package struct ExactString: Hashable, Comparable, Sendable {
  @usableFromInline package let string: String

  @inlinable
  package init(_ string: String) { self.string = string }

  @inlinable
  @inline(__always)
  package static func == (lhs: ExactString, rhs: ExactString) -> Bool {
    lhs.string.isExactly(rhs.string)
  }

  @inlinable
  package static func < (lhs: ExactString, rhs: ExactString) -> Bool {
    lhs.string.precedesExactly(rhs.string)
  }

  @inlinable
  @inline(__always)
  package func hash(into hasher: inout Hasher) { string.hashExactly(into: &hasher) }
}

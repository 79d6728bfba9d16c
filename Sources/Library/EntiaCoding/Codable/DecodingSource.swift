/// A document that `Decodable` types are read from. Each format has a type that conforms to this
/// protocol.
///
/// The document identifies each of its values by a number, the *node*: the index on a tape, or the
/// column of a row. A node that is passed to a function must have been returned by the document.
package protocol DecodingSource: AnyObject {
  /// Returns the keys that lead to a value.
  func codingPath(_ node: Int) -> [any CodingKey]

  // MARK: Values

  /// Whether a value is null.
  func isNull(_ node: Int) -> Bool

  func bool(_ node: Int) throws -> Bool
  func string(_ node: Int) throws -> String
  func double(_ node: Int) throws -> Double
  func float(_ node: Int) throws -> Float
  func int(_ node: Int) throws -> Int
  func integer<Value: FixedWidthInteger & Decodable>(_ node: Int) throws -> Value

  /// Returns a value of any type. If the format has no representation of the type, the
  /// `init(from:)` of the type decodes the value, with a ``SourceDecoder``.
  func decode<Value: Decodable>(_ type: Value.Type, _ node: Int) throws -> Value

  // MARK: Elements

  /// Returns a range that begins at the first element of an array and ends after its last element.
  /// - Throws: `DecodingError` if the value is no array.
  func elements(of node: Int) throws -> Range<Int>

  /// Returns the node of the next element after an element, or the end of the elements.
  func node(after element: Int) -> Int

  // MARK: Members

  /// Throws `DecodingError` if a value is no object.
  func checkObject(_ node: Int) throws

  /// The names of the members of an object.
  func names(of object: Int) -> [String]

  /// Whether an object has a member, or a substitute for it.
  func hasMember(_ name: String, of object: Int) -> Bool

  /// Returns the value of a member. Returns `nil` if the member is missing, or if it is null and
  /// has a substitute.
  /// - Parameter type: The type to decode; `nil` if it is not known yet.
  func member(_ name: String, of object: Int, as type: Any.Type?) -> Int?

  /// Whether missing members of an object may have substitutes.
  func hasSubstitutes(_ object: Int) -> Bool

  /// Returns the substitute for a member without a value, or `nil` if there is none.
  /// - Throws: `DecodingError` if the substitute is not a `Value`.
  func substitute<Value>(
    _ type: Value.Type, for name: String, of object: Int
  ) throws -> Value?

  /// The description in the error for a missing member.
  func missingMember(_ name: String, of object: Int) -> String

  // MARK: Decoders

  /// Returns the value that a superclass is decoded from, or `nil` if there is none.
  func superNode(of object: Int) -> Int?

  /// Returns a decoder of the members or elements of a value that is stored in another format, such
  /// as JSON in a column. Returns `nil` if the value is stored in the format of this document.
  /// - Parameter type: The type that the error names: a dictionary for members, an array for
  ///   elements.
  /// - Throws: `DecodingError` if the value has no members or elements.
  func otherDecoder(_ node: Int, as type: Any.Type) throws -> (any Decoder)?
}

extension DecodingSource {
  package func bool(_ node: Int) throws -> Bool { try decode(Bool.self, node) }
  package func string(_ node: Int) throws -> String { try decode(String.self, node) }
  package func double(_ node: Int) throws -> Double { try decode(Double.self, node) }
  package func float(_ node: Int) throws -> Float { try decode(Float.self, node) }
  package func int(_ node: Int) throws -> Int { try decode(Int.self, node) }
  package func integer<Value: FixedWidthInteger & Decodable>(_ node: Int) throws -> Value {
    try decode(Value.self, node)
  }

  package func node(after element: Int) -> Int { element + 1 }

  package func hasMember(_ name: String, of object: Int) -> Bool {
    member(name, of: object, as: nil) != nil
  }

  package func hasSubstitutes(_ object: Int) -> Bool { false }
  package func substitute<Value>(
    _ type: Value.Type, for name: String, of object: Int
  ) throws -> Value? { nil }

  package func missingMember(_ name: String, of object: Int) -> String { "the member is missing" }

  package func superNode(of object: Int) -> Int? { member("super", of: object, as: nil) }

  /// Returns a decoder of a value, to be passed to the `init(from:)` of a type.
  package func decoder(_ node: Int) -> any Decoder { SourceDecoder(self, node) }

  package func otherDecoder(_ node: Int, as type: Any.Type) throws -> (any Decoder)? { nil }
}

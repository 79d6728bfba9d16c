package import EntiaCoding

/// The JSON texts of stored values with references, as `write()` has them.
package struct ReferenceTexts: Sendable {
  private let forms: ReferenceForms

  /// Creates the texts for the rows of a schema's entities.
  package init(_ schema: Schema) { forms = ReferenceForms(schema.entities) }

  /// Returns the text of a member's value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - relationship: The relationship of the member, if it is one.
  /// - Complexity: O(length of the text).
  package func text(
    of value: RecordValue, by relationship: Schema.Relationship?
  ) -> String {
    var writer = JSONWriter(layout: .compact)
    write(value, by: relationship, to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Writes a member's value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - relationship: The relationship of the member, if it is one.
  ///   - writer: The writer.
  /// - Complexity: O(length of the text).
  package func write(
    _ value: RecordValue, by relationship: Schema.Relationship?, to writer: inout JSONWriter
  ) {
    forms.write(value, by: relationship, to: &writer)
  }
}

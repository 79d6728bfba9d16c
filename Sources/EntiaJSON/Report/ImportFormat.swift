/// The shapes of JSON that can be imported.
public enum ImportFormat: String, Hashable, Sendable, CaseIterable {
  /// Whichever of the others the input looks like.
  case auto
  /// An array of nested records, or one; needs a schema and a root.
  case nested
  /// A nested record on each line; needs a schema and a root.
  case ndjson
  /// Tables of rows: a database's own output, `{entity: {id: row}}` or `{entity: [row]}`.
  case tables
  /// Rows as Django's `dumpdata` writes them: `{model, pk, fields}`.
  case django
  /// A JSON:API document: resources with types, attributes and linkage; needs no schema.
  case jsonapi
  /// A GraphQL response whose objects say their `__typename`; needs no schema.
  case graphql
  /// An object of nested records, each under its ID; needs a schema and a root.
  case keyed
  /// Comma-separated values with a line of names; the root, or the input's name, is their entity.
  ///
  /// An empty field is no value. An empty field in quotes is an empty text in a column of texts, and
  /// is counted as ignored in any other column.
  case csv
}

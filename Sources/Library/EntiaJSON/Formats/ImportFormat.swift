/// The JSON formats that can be imported.
public enum ImportFormat: String, Hashable, Sendable, CaseIterable {
  /// The format that the input resembles.
  case auto
  /// An array of nested records, or a single one; requires a schema and a root.
  case nested
  /// A nested record on each line; requires a schema and a root.
  case ndjson
  /// Tables of rows: the output of a database, `{entity: {id: row}}` or `{entity: [row]}`.
  case tables
  /// Records in the output format of Django's `dumpdata`: `{model, pk, fields}`.
  ///
  /// An entity has the name of its model without the app. If models of several apps share a name,
  /// their entities have the whole names, such as `auth.user`. A database does not record the model
  /// of an entity. Models that share a name must therefore first be imported together, or with a
  /// schema that has their whole names. Otherwise, the rows of a model that is imported later are
  /// added to the entity of the first model.
  case django
  /// A JSON:API document: resources with types, attributes and linkage; requires no schema.
  case jsonapi
  /// A GraphQL response whose objects have a `__typename`; requires no schema.
  case graphql
  /// An object of nested records by ID; requires a schema and a root.
  case keyed
  /// Comma-separated values with a header line. Their entity is the root; without a root, the
  /// entity has the name of the input.
  ///
  /// An empty field is a missing value. An empty quoted field is an empty text in a text column,
  /// and is counted as ignored in any other column.
  case csv
}

/// A version of a store's state, independent of its type, with the change that led to it, if known.
struct SourceVersion: Sendable {
  let current: AnyStateVersion
  var before: AnyStateVersion?
  var rows: RowChanges?
}

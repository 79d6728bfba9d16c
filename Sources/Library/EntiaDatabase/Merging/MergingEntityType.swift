/// An entity type with a merge policy of its own for payloads.
///
/// ```swift
/// extension Book: MergingEntityType {
///   static var mergePolicy: MergePolicy<Book> { .fillingMissing(\.summary) }
/// }
/// context.modifying.books.merge(payload)
/// ```
public protocol MergingEntityType: EntityType {
  /// The policy by which an existing entity is merged with an incoming one.
  static var mergePolicy: MergePolicy<Self> { get }
}

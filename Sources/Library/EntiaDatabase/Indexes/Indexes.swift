/// The kinds of indexes that a database maintains. A storage declares any number of them in
/// addition to its tables:
///
/// ```swift
/// @Index var booksByYear: Indexes.Sorted<Book, Int> = .init(\.year)
/// @Index var authorEmail: Indexes.Unique<Author, String> = .init(\.email)
/// ```
///
/// An index is derived from the rows. It matches them at all times, also within a batch, and is
/// not part of equality, of change sets or of the encoded form. The exceptions are `OrderedID`
/// and `Set`, which store IDs that the user holds.
public enum Indexes {}

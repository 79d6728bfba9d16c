/// The kinds of indexes that a database keeps up to date, of which a storage declares as many as it
/// likes beside its tables:
///
/// ```swift
/// @Index var booksByYear: Indexes.Sorted<Book, Int> = .init(\.year)
/// @Index var authorEmail: Indexes.Unique<Author, String> = .init(\.email)
/// ```
///
/// An index follows from the rows. It is in step with them at every moment, inside of a batch too,
/// and is no part of equality, of change sets or of what is encoded.
public enum Indexes {}

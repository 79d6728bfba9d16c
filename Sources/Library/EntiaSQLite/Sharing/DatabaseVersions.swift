public import EntiaDatabase
import EntiaSharing

/// The versions of a database in a file that other processes write: the current one, and then each
/// newer one. Versions that follow each other quickly may be left out.
///
/// ```swift
/// for try await library in reader.versions {
///   print(library.books.count)
/// }
/// ```
///
/// Each version shares its unchanged rows with the one before, so that `changes(since:)` between
/// them is O(changes).
public struct DatabaseVersions<Storage: NormalizedStorageType>: AsyncSequence, Sendable {
  /// A version of the database.
  public typealias Element = Storage

  fileprivate let file: DatabaseFile<Storage>

  /// Creates an iterator.
  /// - Returns: An iterator that begins with the current version.
  public func makeAsyncIterator() -> Iterator {
    // An unreadable row throws an error, because a version cannot report which rows it lacks.
    Iterator(FileLog(file, isReadOnly: true, onBrokenRow: .throw))
  }

  /// Iterates over the versions. The iteration ends when the task is canceled.
  public struct Iterator: AsyncIteratorProtocol {
    private let log: FileLog<Storage>
    private var hints: AsyncStream<Int64>.Iterator
    private var current: SharedVersion<Storage>?

    fileprivate init(_ log: FileLog<Storage>) {
      self.log = log
      // The file is watched before the first version is read, so that no later version is missed.
      hints = log.wake().makeAsyncIterator()
    }

    /// Returns the next version. Waits until there is one.
    /// - Returns: The version, or `nil` if the task was canceled.
    /// - Throws: `SharedDatabaseError`, such as `isClosed`; `unavailable` or `cannotDecode` for a
    ///   row that cannot be read.
    public mutating func next() async throws -> Storage? {
      guard let former = current else {
        let first = try await log.loadVersion()
        current = first
        return first.storage
      }
      while !Task.isCancelled {
        let newest = try await log.newest(after: former)
        if newest.position != former.position || newest.isReloaded(since: former) {
          current = newest
          return newest.storage
        }
        guard await hints.next() != nil else { return nil }
      }
      return nil
    }
  }
}

extension DatabaseFile {
  /// The versions of the database that other processes write. For a file that is open read-only or
  /// with shared access.
  public var versions: DatabaseVersions<Storage> { DatabaseVersions(file: self) }
}

extension SharedVersion {
  /// Whether the rows differ from those of an earlier load with the same version number. The reason
  /// is a change by a program without Entia.
  fileprivate func isReloaded(since former: SharedVersion) -> Bool {
    !storage.snapshot.isIdentical(to: former.storage.snapshot)
      && !storage.changes(since: former.storage).isEmpty
  }
}

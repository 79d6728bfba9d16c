import EntiaDatabase

/// The last result of a live query, the last version of the state to which it is known to belong,
/// and the work that the query has done.
///
/// Not generic, because every commit that a filter rejects changes it: code that looks up its types
/// at run time would take longer than the comparison of the rows.
final class LiveCache: Sendable {
  /// A result, and the last version of the state to which it is known to belong.
  struct Latest: Sendable {
    let result: any AnyObject & Sendable
    /// The boundary of the result, by which filters identify it.
    let boundary: (any AnyObject & Sendable)?
    /// A commit that a filter rejects only increases this number. A weak reference to its version
    /// would make every later retain of the version slower.
    var inputVersion: UInt64
  }

  private struct Contents {
    var latest: Latest?
    var work = LiveWork()
  }

  private let contents = Mutex(Contents())

  /// The last result.
  var latest: Latest? { contents.withLock { $0.latest } }

  /// The work done so far.
  var work: LiveWork { contents.withLock { $0.work } }

  /// Adds to the work done so far.
  func add(_ work: LiveWork) { contents.withLock { $0.work.add(work) } }

  /// Stores a result, unless there is one of the same or of a later version.
  func store(_ result: Latest) {
    let replaced = contents.withLock { contents -> Latest? in
      if let known = contents.latest, known.inputVersion >= result.inputVersion { return nil }
      let replaced = contents.latest
      contents.latest = result
      return replaced
    }
    // The replaced result is released without the lock.
    withExtendedLifetime(replaced) {}
  }

  /// Extends the validity of the cached result to a later version, if it has the boundary and
  /// belongs to the version before, and adds to the work.
  func move(from old: UInt64, to new: UInt64, _ boundary: AnyObject, _ work: LiveWork) {
    contents.withLock { contents in
      contents.work.add(work)
      if contents.latest?.inputVersion == old, contents.latest?.boundary === boundary {
        contents.latest?.inputVersion = new
      }
    }
  }

  /// Replaces the result by an equal one that refers to the same version, if it has not been
  /// replaced meanwhile.
  func replace(_ known: Latest, by result: Latest) {
    let replaced = contents.withLock { contents -> Latest? in
      guard let latest = contents.latest, latest.result === known.result,
        latest.inputVersion == known.inputVersion
      else { return nil }
      contents.latest = result
      return latest
    }
    withExtendedLifetime(replaced) {}
  }
}

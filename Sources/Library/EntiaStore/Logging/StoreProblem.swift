package import EntiaDatabase

/// A failed operation of a store or pointer that cannot throw.
public struct StoreProblem: Sendable, CustomStringConvertible {
  /// The failed operation.
  public let subject: String
  /// The reason.
  public let error: any Error
  private var outcome = "was ignored"
  /// The name of the file or the space in the subject.
  private var place: String?

  private init(_ subject: String, _ error: any Error) {
    self.subject = subject
    self.error = error
  }

  private static func label(_ kind: String, _ name: String?) -> String {
    name.map { "the \(kind) \($0)" } ?? "a \(kind)"
  }

  init(pointer type: Any.Type, _ error: any Error) {
    self.init("a value set through a pointer to \(type)", error)
  }

  init(layer name: String?, _ error: any Error) { self.init(Self.label("layer", name), error) }

  init(replayed commit: String?, _ error: any Error) {
    self.init("the replay of \(Self.label("commit", commit))", error)
  }

  init(undone step: String?, _ error: any Error) {
    self.init("a part of \(Self.label("step", step))", error)
    outcome = "conflicts with later commits"
  }

  init(derived type: Any.Type, _ error: any Error) { self.init("a derived \(type)", error) }

  init(commit name: String?, _ error: any Error) { self.init(Self.label("commit", name), error) }

  /// Creates the problem of a save that failed.
  /// - Parameters:
  ///   - file: The path of the file.
  ///   - isRetried: Whether the save is retried later.
  ///   - error: The reason.
  package init(saving file: String, isRetried: Bool, _ error: any Error) {
    self.init("a save to \(file)", error)
    outcome = isRetried ? "failed and is tried again" : "failed"
    place = file
  }

  /// Creates the problem of a refusal that was ignored: a middleware threw an error to refuse the
  /// replacement of a shared database by a newer version. This replacement cannot be refused.
  init(replacing commit: String?, _ error: any Error) {
    self.init("a refusal of \(Self.label("commit", commit))", error)
  }

  /// Creates the problem of a shared database that cannot be reached.
  /// - Parameters:
  ///   - space: The name of the database's space, or the path of its file.
  ///   - isRetried: Whether the connection is retried later.
  ///   - error: The reason.
  package init(sharing space: String, isRetried: Bool, _ error: any Error) {
    self.init("the sharing of \(space)", error)
    outcome = isRetried ? "failed and is tried again" : "failed and has ended"
    place = space
  }

  /// Creates the problem of a row in a shared database that this program cannot read.
  /// - Parameters:
  ///   - row: The row.
  ///   - space: The name of the space, or the path of the file.
  package init(skipping row: SkippedRow, in space: String) {
    self.init("row \(row.row) of \(row.table) in \(space)", row)
    outcome = "cannot be read and is left out"
  }

  /// Creates the problem of a batch that a shared database rejected.
  /// - Parameters:
  ///   - batch: The name of the batch's commit.
  ///   - space: The name of the space, or the path of the file.
  ///   - error: The reason.
  package init(batch: String?, rejectedBy space: String, _ error: any Error) {
    self.init("\(Self.label("batch", batch)) of \(space)", error)
    outcome = "was rejected and taken back"
    place = space
  }

  /// A description of the failed operation and the reason.
  public var description: String {
    var reason = "\(error)"
    if let row = error as? SkippedRow {
      reason = (row.column.map { "column \($0): " } ?? "") + row.reason
    } else if let place {
      reason = reason.withoutName(place)
    }
    return "\(subject) \(outcome): \(reason)"
  }
}

extension String {
  /// Returns the message of an error without the name of a file or a space, for a text that
  /// already has the name.
  package func withoutName(_ name: String) -> String {
    if hasPrefix("\(name): ") { return String(dropFirst(name.count + 2)) }
    if hasPrefix("\(name) ") { return "it" + dropFirst(name.count) }
    return replacing(": \(name): ", with: ": ")
  }
}

/// The reason why a pointer could not write.
public enum RefError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The element at the index no longer exists.
  case noElement(index: Int, count: Int)
  /// A write was dropped, because its entity, element or optional value no longer exists.
  case lost(what: String)
  /// The entity to write to exists only in a ``StoreLayer`` that is not confirmed. Pointers read
  /// the visible state, and write the committed state.
  case onlyInLayer(what: String)
  /// The write would have changed the ID that identifies the pointer's entity or element.
  case changedID(from: String, to: String)
  /// `nil` was written to a field that cannot be `nil`.
  case nilField(type: String)

  /// A description of the missing target or the refused value.
  public var description: String {
    switch self {
    case .noElement(let index, let count):
      "there is no element \(index) any more: the collection has \(count)"
    case .lost(let what): "there is no \(what) any more to write to"
    case .onlyInLayer(let what):
      "\(what) exists only in a layer that is not confirmed, and a pointer writes the committed state"
    case .changedID(let old, let new):
      "the pointer finds its value by the ID \(old); the ID cannot become \(new) through it"
    case .nilField(let type): "the field is a \(type) and cannot become nil"
    }
  }
}

/// A rule that is checked at the end of batches. `Checks` contains the available kinds.
public protocol CheckType: Sendable {
  /// The rule in words.
  var rule: String { get }

  /// Returns the violations by a batch.
  /// - Parameters:
  ///   - name: The name of the check in its storage.
  ///   - outcome: The result of the batch.
  func violations<Storage: NormalizedStorageType>(
    name: String, in outcome: BatchOutcome<Storage>
  ) -> [BatchViolation]
}

/// A check of a database as a whole, which can also be applied to a version.
protocol StorageCheck: CheckType {
  /// Returns the violation by the outcome, even when it changes nothing.
  func violation<Storage: NormalizedStorageType>(
    name: String, of outcome: BatchOutcome<Storage>
  ) -> BatchViolation?
}

extension Checks.Batch: StorageCheck {}

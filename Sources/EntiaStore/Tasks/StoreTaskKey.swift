/// What tells a store's tasks apart: of tasks with one key, one runs at a time.
public struct StoreTaskKey: Hashable, Sendable, CustomStringConvertible {
  private enum Name: Hashable, Sendable {
    case text(String)
    case number(UInt64)
  }

  private static let lastNumber = Protected<UInt64>(0)

  private let name: Name

  /// Makes a key that equals every other of this name.
  public init(_ name: String) { self.name = .text(name) }

  private init(number: UInt64) { name = .number(number) }

  /// Makes a key that equals no other.
  ///
  /// - Returns: A key for a task that has nothing to do with any other.
  public static func distinct() -> StoreTaskKey {
    StoreTaskKey(
      number: lastNumber.withLock {
        $0 += 1
        return $0
      })
  }

  /// The name, or a number where there is none.
  public var description: String {
    switch name {
    case .text(let text): text
    case .number(let number): "task \(number)"
    }
  }
}

/// What becomes of a task with the same key that has not ended yet.
public enum StoreTaskMode: Sendable {
  /// It is canceled, and the new one begins at once.
  case dropCurrent
  /// The new one begins when it and all others that wait for it have ended.
  case waitInCurrent
}

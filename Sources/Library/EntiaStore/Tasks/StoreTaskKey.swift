/// The key of a store's task. Of the tasks with equal keys, one runs at a time.
public struct StoreTaskKey: Hashable, Sendable, CustomStringConvertible {
  private enum Name: Hashable, Sendable {
    case text(String)
    case number(UInt64)
  }

  private static let lastNumber = Mutex<UInt64>(0)

  private let name: Name

  /// Creates a key that equals all keys with the same name.
  public init(_ name: String) { self.name = .text(name) }

  private init(number: UInt64) { name = .number(number) }

  /// Creates a key that equals no other key.
  ///
  /// - Returns: A key for a task that is independent of all others.
  public static func distinct() -> StoreTaskKey {
    StoreTaskKey(
      number: lastNumber.withLock {
        $0 += 1
        return $0
      })
  }

  /// The name, or a number for a distinct key.
  public var description: String {
    switch name {
    case .text(let text): text
    case .number(let number): "task \(number)"
    }
  }
}

import EntiaCollections
import Foundation

/// Reports entity types whose `==` ignores fields, in debug builds. An update that changes only
/// ignored fields is lost, because a table keeps the stored row if the new row is equal.
///
/// The audit checks a sample of the written rows that compared equal to the stored ones. It
/// writes to standard error, once for each type on each thread. Release builds do nothing.
@usableFromInline
package enum EqualityAudit {
  /// The receiver that gets the reports of the current task, instead of standard error. While it is
  /// set, every row is checked instead of a sample.
  @TaskLocal package static var receiver: Receiver?

  /// A collector of the reports of a test.
  package final class Receiver: @unchecked Sendable {
    // `Sendable` is unchecked, because a test uses a `Receiver` on one thread only.

    /// The messages, one for each type.
    package private(set) var messages: [String] = []
    private var types: Set<ObjectIdentifier> = []

    /// Creates a receiver without messages.
    package init() {}

    fileprivate func report(_ type: Any.Type, _ message: String) {
      if types.insert(ObjectIdentifier(type)).inserted { messages.append(message) }
    }
  }

  #if DEBUG
    /// Checks a row that compared equal to the stored one.
    @usableFromInline
    static func check<Entity: EntityType>(
      _ stored: @autoclosure () -> Entity?, _ new: Entity
    ) {
      guard isSampled, let stored = stored() else { return }
      check(equal: stored, new)
    }

    /// Returns the stored row and the new one if they are sampled. The caller checks them after it
    /// has moved the new row into the table. They are not compared here, so that a test can count
    /// the comparisons of the table.
    @usableFromInline
    static func sample<Entity: EntityType>(
      _ stored: @autoclosure () -> Entity?, _ new: Entity
    ) -> (stored: Entity, new: Entity)? {
      guard isSampled, let stored = stored() else { return nil }
      return (stored, new)
    }

    /// Whether to check a row. Only one row in 16 is checked, because reflection takes longer than
    /// a write. If a test has set a receiver, every row is checked.
    private static var isSampled: Bool { receiver != nil || UInt8.random(in: 0..<16) == 0 }

    /// Checks a row that is equal to the stored one.
    @usableFromInline
    static func check<Entity: EntityType>(equal stored: Entity, _ new: Entity) {
      let fields = ReflectedParts.differingParts(stored, new)
      guard !fields.isEmpty else { return }
      let message = """
        \(Entity.entityName) \(new.entityID): == finds the new row equal to the stored one, but \
        \(fields.joined(separator: ", ")) differ. Tables keep the stored row, and the update is \
        lost. Compare every field in == of \(Entity.self), or let Swift write ==
        """
      report(Entity.self, message)
    }

    private static func report(_ type: Any.Type, _ message: String) {
      if let receiver {
        receiver.report(type, message)
      } else if isFirst(type) {
        FileHandle.standardError.write(Data("Entia: \(message)\n".utf8))
      }
    }

    /// Whether the type has not been reported on this thread. A dictionary of the thread needs no
    /// lock.
    private static func isFirst(_ type: Any.Type) -> Bool {
      let key = "entia.equalityAudit.\(UInt(bitPattern: ObjectIdentifier(type)))"
      let known = Thread.current.threadDictionary
      if known[key] != nil { return false }
      known[key] = true
      return true
    }
  #else
    @inlinable
    @inline(__always)
    static func check<Entity: EntityType>(
      _ stored: @autoclosure () -> Entity?, _ new: Entity
    ) {}
  #endif
}

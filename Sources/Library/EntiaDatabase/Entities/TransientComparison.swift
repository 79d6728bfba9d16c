/// Detects values that are equal although their transient members may differ.
@usableFromInline
package enum TransientComparison {
  @TaskLocal private static var receiver: Receiver?

  private final class Receiver: @unchecked Sendable {
    // Unchecked: it is only used during one call, on the thread of that call.
    var hasDifference = false
  }

  /// Returns whether a comparison compares transient members that are not the same in memory.
  /// - Parameter compare: The comparison.
  package static func findsDifference(_ compare: () -> Void) -> Bool {
    let receiver = Receiver()
    $receiver.withValue(receiver, operation: compare)
    return receiver.hasDifference
  }

  /// Notes the comparison of two transient members.
  @usableFromInline
  static func compared<Value>(_ lhs: Value, _ rhs: Value) {
    guard let receiver, !receiver.hasDifference else { return }
    receiver.hasDifference = !areSameInMemory(lhs, rhs)
  }

  /// Whether two values consist of the same bytes, which implies that they are the same.
  package static func areSameInMemory<Value>(_ lhs: Value, _ rhs: Value) -> Bool {
    withUnsafeBytes(of: lhs) { lhs in
      withUnsafeBytes(of: rhs) { rhs in lhs.elementsEqual(rhs) }
    }
  }
}

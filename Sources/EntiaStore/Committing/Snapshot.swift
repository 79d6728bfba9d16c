/// One version of a value, shared by everybody who looks at it.
///
/// A store swaps a reference, whatever the size of its state. The version tells two snapshots of
/// one source apart without comparing their values: same version, same value.
final class Snapshot<Value: Sendable>: Sendable {
  let value: Value
  let version: UInt64
  let commitName: String?

  init(_ value: Value, version: UInt64, commitName: String?) {
    self.value = value
    self.version = version
    self.commitName = commitName
  }
}

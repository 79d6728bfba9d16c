/// The versions of several values, and what they are combined to.
struct CombinedLook<Value: Sendable>: Sendable {
  let versions: [UInt64]
  let make: @Sendable () -> Value
}

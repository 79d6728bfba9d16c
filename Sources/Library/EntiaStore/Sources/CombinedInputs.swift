/// The versions of several values, and the function that combines these values.
struct CombinedInputs<Value: Sendable>: Sendable {
  let versions: [UInt64]
  let combine: @Sendable () -> Value
}

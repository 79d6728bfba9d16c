/// The result of an update's closure, independent of its type.
final class RefUpdateResult {
  let result: Any

  init(_ result: Any) {
    self.result = result
  }
}

extension StoreScope {
  /// Returns the key path from the state of the store to a part of this part.
  func wholePath<Part>(
    to part: any KeyPath<State, Part> & Sendable
  ) -> any KeyPath<Whole, Part> & Sendable {
    let start: KeyPath<Whole, State> = path
    let end: KeyPath<State, Part> = part
    // The values captured by both key paths are `Sendable`, and the combined key path captures
    // nothing else.
    return unsafeBitCast(
      start.appending(path: end), to: (any KeyPath<Whole, Part> & Sendable).self)
  }

  /// Returns the writable key path from the state of the store to a part of this part.
  func wholePath<Part>(
    to part: any WritableKeyPath<State, Part> & Sendable
  ) -> any WritableKeyPath<Whole, Part> & Sendable {
    let start: WritableKeyPath<Whole, State> = path
    let end: WritableKeyPath<State, Part> = part
    // The values captured by both key paths are `Sendable`, and the combined key path captures
    // nothing else.
    return unsafeBitCast(
      start.appending(path: end), to: (any WritableKeyPath<Whole, Part> & Sendable).self)
  }

  /// Returns the writable key path from the state of the store to a part of this part, for use on
  /// one thread.
  func wholePath<Part>(to part: WritableKeyPath<State, Part>) -> WritableKeyPath<Whole, Part> {
    let start: WritableKeyPath<Whole, State> = path
    return start.appending(path: part)
  }
}

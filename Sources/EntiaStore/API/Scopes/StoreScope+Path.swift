extension StoreScope {
  /// The key path from the state of the store to a part of the part.
  func wholePath<Part>(
    to part: any KeyPath<State, Part> & Sendable
  ) -> any KeyPath<Whole, Part> & Sendable {
    let start: KeyPath<Whole, State> = path
    let end: KeyPath<State, Part> = part
    // What both paths hold is `Sendable`, and the path of both holds nothing else.
    return unsafeBitCast(
      start.appending(path: end), to: (any KeyPath<Whole, Part> & Sendable).self)
  }

  /// The key path from the state of the store to a part of the part, for writing.
  func wholePath<Part>(
    to part: any WritableKeyPath<State, Part> & Sendable
  ) -> any WritableKeyPath<Whole, Part> & Sendable {
    let start: WritableKeyPath<Whole, State> = path
    let end: WritableKeyPath<State, Part> = part
    // What both paths hold is `Sendable`, and the path of both holds nothing else.
    return unsafeBitCast(
      start.appending(path: end), to: (any WritableKeyPath<Whole, Part> & Sendable).self)
  }
}

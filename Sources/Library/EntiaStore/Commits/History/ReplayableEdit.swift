/// An edit that can be replayed, for the parts of a store that do not depend on the state's type.
///
/// Sendable although it has a subclass: the only subclass is `ReplayableEdit`, which adds one
/// constant.
@usableFromInline
class AnyReplayableEdit: @unchecked Sendable {
  /// The name of the commit that made the edit.
  let name: String?

  fileprivate init(name: String?) { self.name = name }
}

/// An edit that can be replayed.
final class ReplayableEdit<State: Sendable>: AnyReplayableEdit, @unchecked Sendable {
  let edit: @Sendable (inout State) throws -> Void

  init(name: String?, _ edit: @escaping @Sendable (inout State) throws -> Void) {
    self.edit = edit
    super.init(name: name)
  }
}

extension AnyReplayableEdit {
  /// Returns the edit with its type. Only the store that created it may call this, because
  /// optimized builds do not check the type.
  func of<State: Sendable>(_ type: State.Type) -> ReplayableEdit<State> {
    unsafeDowncast(self, to: ReplayableEdit<State>.self)
  }
}

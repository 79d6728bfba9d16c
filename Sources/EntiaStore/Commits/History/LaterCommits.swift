/// An edit that can be made again, for the parts of a store that do not know the state's type.
///
/// Sendable although it can be inherited from: the only heir is `ReplayableEdit`, which adds one
/// constant.
class AnyReplayableEdit: @unchecked Sendable {
  /// The name of the commit that made it.
  let name: String?

  fileprivate init(name: String?) { self.name = name }
}

/// An edit that can be made again.
final class ReplayableEdit<State: Sendable>: AnyReplayableEdit, @unchecked Sendable {
  let edit: @Sendable (inout State) throws -> Void

  init(name: String?, _ edit: @escaping @Sendable (inout State) throws -> Void) {
    self.edit = edit
    super.init(name: name)
  }
}

extension AnyReplayableEdit {
  /// The edit with its type; only the store that made it may read it, because the type is not checked
  /// again in optimized builds.
  func of<State: Sendable>(_ type: State.Type) -> ReplayableEdit<State> {
    unsafeDowncast(self, to: ReplayableEdit<State>.self)
  }
}

/// The commits made after a step that are no steps: undoing or redoing the step keeps them.
struct LaterCommits<Version> {
  /// The version that the step led to, before the first of them.
  var origin: Version
  /// Their edits in order, without those that changed databases only.
  var edits: [AnyReplayableEdit] = []
}

extension LaterCommits: Sendable where Version: Sendable {}

/// The optimistic layers of a store, and the committed state below them.
///
/// Only the thread that holds the commit lock changes them; any thread may read them.
@usableFromInline
final class LayerStack<State: Sendable>: Sendable {
  @usableFromInline
  struct Layer: Sendable {
    let id: UInt64
    let name: String?
    let edit: @Sendable (inout State) throws -> Void
    /// The entities that the edit referred to when the layer was added, by the paths of their
    /// databases.
    let named: [String: any Sendable]
    let replays: LayerReplays
  }

  private struct Contents {
    var base: StateVersion<State>?
    var layers: [Layer] = []
    /// Whether each layer's edit changed the visible state when it was applied last.
    var areApplied = true
    var lastID: UInt64 = 0
    /// The number of changes so far, which lets a reader detect a concurrent change.
    var changes: UInt64 = 0
  }

  private let contents = Mutex(Contents())

  /// The layers, oldest first.
  var layers: [Layer] { contents.withLock { $0.layers } }

  /// The state below the layers, or `nil` if there are none.
  var base: (state: StateVersion<State>?, changes: UInt64) {
    contents.withLock { ($0.base, $0.changes) }
  }

  /// Whether the visible state can follow a commit without applying the edits again.
  var canFollow: Bool {
    contents.withLock { $0.areApplied && !$0.layers.contains { $0.replays == .always } }
  }

  func newID() -> UInt64 {
    contents.withLock { contents in
      contents.lastID += 1
      return contents.lastID
    }
  }

  /// Replaces the layers and their base.
  func set(_ layers: [Layer], over base: StateVersion<State>, areApplied: Bool) {
    let dropped = contents.withLock { contents in
      let dropped = contents
      contents.layers = layers
      contents.areApplied = areApplied
      contents.base = layers.isEmpty ? nil : base
      contents.changes += 1
      return dropped
    }
    withExtendedLifetime(dropped) {}
  }
}

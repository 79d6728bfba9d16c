/// The optimistic layers of a store, and the committed state beneath them.
///
/// Only the thread that has the turn changes them; anybody may ask.
@usableFromInline
final class LayerStack<State: Sendable>: Sendable {
  @usableFromInline
  struct Layer: Sendable {
    let id: UInt64
    let name: String?
    let edit: @Sendable (inout State) throws -> Void
    /// The entities that the edit named when the layer was added, by the paths of their databases.
    let named: [String: any Sendable]
  }

  private struct Contents {
    var base: Snapshot<State>?
    var layers: [Layer] = []
    var lastID: UInt64 = 0
    /// The number of changes so far, by which a reader detects one made meanwhile.
    var changes: UInt64 = 0
  }

  private let contents = Protected(Contents())

  /// The layers, the oldest first.
  var layers: [Layer] { contents.withLock { $0.layers } }

  /// The layers, or `nil` when there are none.
  var layersIfAny: [Layer]? { contents.withLock { $0.layers.isEmpty ? nil : $0.layers } }

  /// The state beneath the layers; `nil` while there are none.
  var base: (state: Snapshot<State>?, changes: UInt64) {
    contents.withLock { ($0.base, $0.changes) }
  }

  func newID() -> UInt64 {
    contents.withLock { contents in
      contents.lastID += 1
      return contents.lastID
    }
  }

  /// Puts other layers on another base.
  func set(_ layers: [Layer], over base: Snapshot<State>) {
    let dropped = contents.withLock { contents in
      let dropped = contents
      contents.layers = layers
      contents.base = layers.isEmpty ? nil : base
      contents.changes += 1
      return dropped
    }
    withExtendedLifetime(dropped) {}
  }
}

/// An edit that is shown before it is certain, such as one that a server has still to accept.
///
/// ```swift
/// let layer = try store.addLayer("Like") { $0.likes += 1 }
/// // … later, in any order with other layers:
/// try layer.confirm()               // now it is a commit
/// layer.rollBack()                  // or it has never been
/// ```
///
/// The layers of a store lie over its committed state in the order in which they were added; the
/// state that everybody sees is the committed one with their edits made again on top of it, after
/// every commit. A layer whose edit throws then is passed over until it succeeds again, and reported.
/// So is a layer whose edit names an entity of a database that it named when it was added and that has
/// been removed since, unless the relationship's rule is `keepDangling`: a post that is gone is not
/// liked. Releasing this object does not end the layer.
public final class StoreLayer<State: Sendable>: Sendable {
  private typealias Edit = @Sendable (inout State) throws -> Void

  /// What it was called.
  public let name: String?
  private let confirmEdit: @Sendable (UndoRecording, Edit?) throws -> Void
  private let remove: @Sendable () -> Bool
  private let isThere: @Sendable () -> Bool

  init<Activity>(_ core: StoreCore<State, Activity>, _ id: UInt64, _ name: String?) {
    self.name = name
    confirmEdit = { try core.confirmLayer(id, name, undo: $0, $1) }
    remove = { core.removeLayer(id, name) }
    isThere = { core.layers.layers.contains { $0.id == id } }
  }

  /// Whether it has been neither confirmed nor rolled back.
  public var isActive: Bool { isThere() }

  /// Makes its edit a commit of the layer's name, judged as any other, in place of the layer.
  ///
  /// It is no step to be undone unless you say so, and undoing an earlier step keeps it, as
  /// ``Store/commit(_:context:undo:_:)`` says.
  ///
  /// - Parameter undo: Whether the commit is a step that can be undone.
  /// - Throws: What the edit throws or a ``StoreMiddleware`` refuses; `BatchError` when the edit names
  ///   an entity that has been removed since the layer was added; ``StoreLayerError``. The layer is
  ///   then still there.
  public func confirm(undo: UndoRecording = .none) throws { try confirmEdit(undo, nil) }

  /// Makes another edit a commit in place of the layer, such as what the server made of it.
  ///
  /// - Parameters:
  ///   - undo: Whether the commit is a step that can be undone.
  ///   - edit: Edits the committed state, without this and the other layers, and does nothing else: it
  ///     may be made again when an earlier step is undone.
  /// - Throws: What the edit throws or a ``StoreMiddleware`` refuses; `BatchError` when the edit names
  ///   an entity that has been removed since the layer was added; ``StoreLayerError``. The layer is
  ///   then still there.
  public func confirm<Ignored>(
    undo: UndoRecording = .none, _ edit: @escaping @Sendable (inout State) throws -> Ignored
  ) throws {
    try confirmEdit(undo) { _ = try edit(&$0) }
  }

  /// Takes the edit back, whatever was committed or layered since.
  ///
  /// - Returns: Whether it was there; `false` also inside a commit of this store.
  @discardableResult
  public func rollBack() -> Bool { remove() }
}

/// Why a layer was not added or confirmed.
public enum StoreLayerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// It was asked for inside a commit of the same store.
  case insideCommit(layer: String?)
  /// It has been confirmed or rolled back before.
  case ended(layer: String?)

  /// A sentence that says which layer, and why.
  public var description: String {
    switch self {
    case .insideCommit(let name):
      "\(Self.label(name)) cannot be added or confirmed inside a commit of its store"
    case .ended(let name): "\(Self.label(name)) has been confirmed or rolled back before"
    }
  }

  private static func label(_ name: String?) -> String {
    name.map { "the layer \($0)" } ?? "the layer"
  }
}

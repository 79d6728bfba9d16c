/// The reason why a layer was not added or confirmed.
public enum StoreLayerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The layer has already been confirmed or rolled back.
  case ended(layer: String?)

  /// A description of the layer and the reason.
  public var description: String {
    switch self {
    case .ended(let name): "\(Self.label(name)) has been confirmed or rolled back before"
    }
  }

  private static func label(_ name: String?) -> String {
    name.map { "the layer \($0)" } ?? "the layer"
  }
}

extension IdentifiedArray: CustomStringConvertible {
  /// The elements, formatted like an array.
  public var description: String { elements.description }
}

extension IdentifiedArray: CustomDebugStringConvertible {
  /// The type of the elements, and the elements formatted like an array.
  public var debugDescription: String { "IdentifiedArray<\(Element.self)>(\(description))" }
}

extension IdentifiedArray: CustomReflectable {
  /// A mirror of the elements, like that of an array.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: elements, displayStyle: .collection)
  }
}

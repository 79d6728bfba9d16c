extension IdentifiedArray: CustomStringConvertible {
  /// The elements as an array shows them.
  public var description: String { elements.description }
}

extension IdentifiedArray: CustomDebugStringConvertible {
  /// The type of the elements, and the elements as an array shows them.
  public var debugDescription: String { "IdentifiedArray<\(Element.self)>(\(description))" }
}

extension IdentifiedArray: CustomReflectable {
  /// A mirror that shows the elements as an array's does.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: elements, displayStyle: .collection)
  }
}

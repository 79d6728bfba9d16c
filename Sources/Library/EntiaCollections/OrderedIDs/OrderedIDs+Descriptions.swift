extension OrderedIDs: CustomStringConvertible, CustomDebugStringConvertible {
  /// The IDs, formatted like an array.
  public var description: String { elements.description }

  /// The IDs, formatted like an array.
  public var debugDescription: String { elements.debugDescription }
}

extension OrderedIDs: CustomReflectable {
  /// A mirror of the IDs, like that of an array.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: elements, displayStyle: .collection)
  }
}

extension OrderedIDs: CustomStringConvertible, CustomDebugStringConvertible {
  /// The IDs as an array shows them.
  public var description: String { elements.description }

  /// The IDs as an array shows them.
  public var debugDescription: String { elements.debugDescription }
}

extension OrderedIDs: CustomReflectable {
  /// A mirror that shows the IDs as an array's does.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: elements, displayStyle: .collection)
  }
}

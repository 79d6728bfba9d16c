extension JSONWriter {
  /// Writes a tree, with members in their order.
  ///
  /// - Complexity: O(size of the tree).
  public mutating func value(_ value: JSONValue) {
    // The pending steps, the next one last. A stack instead of recursion supports any depth.
    var steps: [Step] = [.value(value)]
    while let step = steps.popLast() {
      switch step {
      case .value(.null): null()
      case .value(.bool(let value)): bool(value)
      case .value(.number(let value)): number(value)
      case .value(.string(let value)): string(value)
      case .value(.array(let elements)):
        beginArray()
        steps.append(.endArray)
        for element in elements.reversed() { steps.append(.value(element)) }
      case .value(.object(let members)):
        beginObject()
        steps.append(.endObject)
        for member in members.reversed() {
          steps.append(.value(member.value))
          steps.append(.name(member.name))
        }
      case .name(let name): self.name(name)
      case .endArray: endArray()
      case .endObject: endObject()
      }
    }
  }

  private enum Step {
    case value(JSONValue)
    case name(String)
    case endArray
    case endObject
  }
}

extension JSONValue {
  /// Returns the value as text.
  ///
  /// - Complexity: O(size of the value).
  public func bytes(layout: JSONWriter.Layout = .compact) -> [UInt8] {
    var writer = JSONWriter(layout: layout)
    writer.value(self)
    return writer.bytes
  }
}

extension JSONWriter {
  /// Writes an object with the members that a closure adds.
  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    beginObject()
    members(&self)
    endObject()
  }

  /// Writes a member that is an object.
  package mutating func object(_ name: String, _ members: (inout JSONWriter) -> Void) {
    self.name(name)
    object(members)
  }

  /// Writes an array with a value for each element.
  package mutating func array<Element>(
    _ elements: some Sequence<Element>, _ write: (Element, inout JSONWriter) -> Void
  ) {
    beginArray()
    for element in elements { write(element, &self) }
    endArray()
  }

  /// Writes a member that is an array with a value for each element.
  package mutating func array<Element>(
    _ name: String, _ elements: some Sequence<Element>,
    _ write: (Element, inout JSONWriter) -> Void
  ) {
    self.name(name)
    array(elements, write)
  }

  /// Writes a member with a string, or with `null`.
  package mutating func member(_ name: String, _ text: String?) {
    self.name(name)
    if let text { string(text) } else { null() }
  }

  /// Writes a member with a Boolean value.
  package mutating func member(_ name: String, _ value: Bool) {
    self.name(name)
    bool(value)
  }

  /// Writes members with strings.
  package mutating func members(_ texts: KeyValuePairs<String, String>) {
    for (name, text) in texts { member(name, text) }
  }

  /// Writes members with numbers.
  package mutating func members(_ counts: some Sequence<(String, Int)>) {
    for (name, count) in counts {
      self.name(name)
      integer(count)
    }
  }

  /// Writes a value without line breaks, regardless of the layout.
  package mutating func line(_ write: (inout JSONWriter) -> Void) {
    var line = JSONWriter(layout: .compact)
    write(&line)
    value { $0 += line.bytes }
  }

  /// Returns the text that a closure writes, without line breaks.
  package static func text(_ write: (inout JSONWriter) -> Void) -> JSONText {
    var writer = JSONWriter(layout: .compact)
    write(&writer)
    return JSONText(canonical: String(decoding: writer.bytes, as: UTF8.self))
  }
}

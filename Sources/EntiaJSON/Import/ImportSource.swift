/// One input: in memory, or read as it is needed.
public struct ImportSource: Sendable {
  /// Fills memory with the next bytes of an input, and says how many they are; none at the end.
  public typealias Fill = (UnsafeMutableRawBufferPointer) throws -> Int

  /// Begins to read an input.
  public typealias Opening = @Sendable () throws -> Fill

  /// The name that problems call it by.
  public let name: String
  /// The content, if it is in memory.
  public let bytes: [UInt8]
  private let opening: Opening?

  /// Makes an input in memory.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    opening = nil
  }

  /// Makes an input that is read in pieces and never held as a whole.
  ///
  /// - Parameters:
  ///   - name: the name that problems call it by.
  ///   - opening: begins to read it. It is called again where something has to be read twice: to
  ///     recognize the format, to find a schema, to tell where a problem is.
  public init(name: String, opening: @escaping Opening) {
    self.name = name
    bytes = []
    self.opening = .some(opening)
  }

  /// Calls the closure with a window at the beginning of the input.
  func withWindow<Result>(
    progress: @escaping (Int) -> Void = { _ in }, _ body: (ByteWindow) -> Result
  ) -> Result {
    guard let opening else {
      return bytes.withUnsafeBufferPointer { body(ByteWindow($0)) }
    }
    var fill: Fill?
    return body(
      ByteWindow(progress: progress) { memory in
        if let fill { return try fill(memory) }
        let opened = try opening()
        fill = opened
        return try opened(memory)
      })
  }
}

extension ImportSource {
  /// Reads the input to its end.
  ///
  /// - Returns: The content.
  /// - Throws: What reading the input throws.
  /// - Complexity: O(length of the input).
  public func contents() throws -> [UInt8] {
    guard opening != nil else { return bytes }
    let (bytes, failure) = withWindow { window in
      while !window.isFinal { window.extend(keepingFrom: 0) }
      return (
        Array(UnsafeBufferPointer(start: window.base, count: window.end)), window.failure
      )
    }
    if let failure { throw failure }
    return bytes
  }
}

extension ImportSource {
  /// The entity that an input holds if nothing else says it: the name up to the first point, without
  /// folders.
  var entityName: String {
    let last = name.split(separator: "/").last.map(String.init) ?? name
    let entity = last.prefix { $0 != "." }
    return entity.isEmpty || entity == "-" ? "records" : String(entity)
  }

  /// Returns a window at the beginning of the input that may outlive the call.
  func opened() throws -> ByteWindow {
    if let opening { return ByteWindow(try opening()) }
    let bytes = bytes
    var offset = 0
    return ByteWindow { memory in
      let part = bytes[offset..<min(bytes.count, offset + memory.count)]
      memory.copyBytes(from: part)
      offset += part.count
      return part.count
    }
  }
}

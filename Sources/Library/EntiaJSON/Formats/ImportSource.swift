package import EntiaCoding

/// An input of an import, in memory or read on demand.
public struct ImportSource: Sendable {
  /// Starts reading an input from its beginning.
  package typealias Opening = @Sendable () throws -> ByteWindow.Fill

  /// The name of the input in problems.
  package let name: String
  /// The content, if it is in memory.
  package let bytes: [UInt8]
  private let opening: Opening?

  /// Creates an input in memory.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    opening = nil
  }

  /// Creates an input that is read in pieces and is never in memory as a whole.
  ///
  /// - Parameters:
  ///   - name: The name of the input in problems.
  ///   - opening: A closure that starts reading the input. It is called again if a part has to be
  ///     read twice: to recognize the format, to find a schema, or to locate a problem. It returns
  ///     a closure that fills a buffer with the next bytes of the input and returns their number.
  ///     The number is 0 only at the end of the input.
  public init(
    name: String,
    opening: @escaping @Sendable () throws -> (UnsafeMutableRawBufferPointer) throws -> Int
  ) {
    self.name = name
    bytes = []
    self.opening = .some(opening)
  }

  /// Calls the closure with a window at the beginning of the input.
  package func withWindow<Result>(
    progress: @escaping (Int) -> Void = { _ in }, _ body: (ByteWindow) -> Result
  ) -> Result {
    guard let opening else {
      return bytes.withUnsafeBufferPointer { body(ByteWindow($0)) }
    }
    var fill: ByteWindow.Fill?
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
  /// - Throws: The error of reading the input.
  /// - Complexity: O(length of the input).
  package func contents() throws -> [UInt8] {
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
  /// Returns the path of the only array of objects in an input that is an object, or nil if there
  /// is none or several.
  package func pathToRecords() -> JSONPath? { onlyListOfObjects()?.path }

  /// Returns the path of `pathToRecords()`, and the offset of the object that is the input.
  package func onlyListOfObjects() -> (path: JSONPath, start: Int)? {
    withWindow { window in
      var reader = JSONReader(window)
      return reader.onlyListOfObjects()
    }
  }

  /// The default entity of an input: its name up to the first period, without folders.
  package var entityName: String {
    let last = name.split(separator: "/").last.map(String.init) ?? name
    let entity = last.prefix { $0 != "." }
    return entity.isEmpty || entity == "-" ? "records" : String(entity)
  }

  /// Returns a window at the beginning of the input. The window may outlive the call.
  package func opened() throws -> ByteWindow {
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

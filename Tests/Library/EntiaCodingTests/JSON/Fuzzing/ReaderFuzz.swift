// Compiled together with the reader, by the fuzz step alone: no test target has it.

// The bytes that libFuzzer makes up are a text, and how it is cut into pieces. A reader that says
// of the pieces something else than of the whole, or whose text is not read as it was written, ends
// the process, and libFuzzer keeps the bytes that did it; the address sanitizer sees to what is
// read beyond its end.

/// Called by libFuzzer with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReader(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let bytes, count > 0 else { return 0 }
  // A copy of its own, so that reading past its end is reading past an allocation's.
  let text = Array(UnsafeBufferPointer(start: bytes + 1, count: count - 1))
  let whole = text.withUnsafeBufferPointer { tokens(JSONReader($0, maximumDepth: 64)) }
  let pieces = ByteWindow(filling(text, size: Int(bytes[0] % 16) + 1))
  let pieced = tokens(JSONReader(pieces, maximumDepth: 64))
  precondition(whole == pieced, "the whole gives \(whole), pieces give \(pieced)")
  precondition(
    whole.error == nil || (whole.error?.offset ?? 0) <= text.count, "an error beyond the text")
  checkCanonical(text)
  return 0
}

private struct Tokens: Equatable {
  var tokens: [JSONToken] = []
  var places: [Int] = []
  var error: JSONError?
}

private func tokens(_ reader: JSONReader) -> Tokens {
  var reader = reader
  var found = Tokens()
  do {
    while true {
      let token = try reader.next()
      found.tokens.append(token)
      found.places += [reader.tokenStart, reader.tokenEnd]
      if token == .end { return found }
    }
  } catch {
    found.error = error
    return found
  }
}

private func filling(_ text: [UInt8], size: Int) -> ByteWindow.Fill {
  var start = 0
  return { memory in
    let count = min(size, memory.count, text.count - start)
    memory.copyBytes(from: text[start..<start + count])
    start += count
    return count
  }
}

/// Sees that a canonical text is its own, and that a tree is written as it is read.
private func checkCanonical(_ text: [UInt8]) {
  do {
    let canonical = try JSONText.parse(text)
    let again = try JSONText.parse(Array(canonical.text.utf8))
    precondition(again == canonical, "\(again) is not \(canonical)")
    let tree = try JSONText(JSONValue.parse(text))
    precondition(tree == canonical, "the tree \(tree) is not \(canonical)")
  } catch {
    // What is no text, or too deep for a tree, is refused; that is all.
  }
}

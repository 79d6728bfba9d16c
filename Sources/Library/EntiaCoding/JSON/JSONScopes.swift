/// Whether each open level is an object or an array: one bit a level, the innermost in the lowest
/// bit.
struct JSONScopes {
  private(set) var depth = 0
  private var bits: UInt64 = 0
  /// The bits of the outer levels, in full blocks of 64 levels.
  private var blocks: [UInt64] = []

  /// Whether the innermost open level is an object.
  @inline(__always)
  var inObject: Bool { bits & 1 == 1 && depth > 0 }

  @inline(__always)
  mutating func open(isObject: Bool) {
    if depth & 63 == 0, depth > 0 { blocks.append(bits) }
    bits = bits << 1 | (isObject ? 1 : 0)
    depth += 1
  }

  @inline(__always)
  mutating func close() {
    depth -= 1
    if depth & 63 == 0, let block = blocks.popLast() {
      bits = block
    } else {
      bits >>= 1
    }
  }
}

import EntiaCoding
import Foundation

extension DecodingRun {
  func bool(_ node: Int) throws -> Bool {
    switch tape.nodes[node].token {
    case .true: return true
    case .false: return false
    default: throw mismatch(Bool.self, node)
    }
  }

  @usableFromInline
  func string(_ node: Int) throws -> String {
    guard tape.nodes[node].token == .string else { throw mismatch(String.self, node) }
    return text(node)
  }

  @usableFromInline
  func int(_ node: Int) throws -> Int {
    // This is faster than the generic function `integer(_:)`, which looks up its types in each
    // call.
    if tape.nodes[node].token == .number {
      let bytes = bytes(node)
      if let value = JSONDigits.integer(bytes) { return value }
    }
    return try integer(node)
  }

  /// Decodes a value. Whether the type is `Decodable` is checked at run time.
  ///
  /// - Throws: A mismatch if the type is not `Decodable`, or the error of decoding the value.
  @usableFromInline
  func raw<Raw>(_ type: Raw.Type, _ node: Int) throws -> Raw {
    func decode<Same: Decodable>(_ type: Same.Type) throws -> Any { try self.decode(type, node) }
    guard let type = type as? any Decodable.Type, let raw = try decode(type) as? Raw else {
      throw mismatch(type, node)
    }
    return raw
  }

  func integer<Value: FixedWidthInteger>(_ node: Int) throws -> Value {
    guard tape.nodes[node].token == .number else { throw mismatch(Value.self, node) }
    let bytes = bytes(node)
    if let value = JSONDigits.integer(bytes) {
      if let exact = Value(exactly: value) { return exact }
    } else {
      // `1.0` and `1e3` are integers as well.
      let text = String(decoding: bytes, as: UTF8.self)
      if let value = Value(text) ?? Self.whole(bytes) { return value }
    }
    let text = String(decoding: bytes, as: UTF8.self).excerpt()
    throw corrupted(node, "\(text) does not fit \(Value.self)")
  }

  /// Returns the whole number that a decimal such as `1.0` or `1e3` represents, computed from its
  /// digits alone; nil if the number is not whole or does not fit.
  private static func whole<Value: FixedWidthInteger>(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Value? {
    let isNegative = bytes.first == Byte.minus
    var digits: [UInt8] = []
    var places = 0
    var exponent = 0
    var hasPoint = false
    for (index, byte) in bytes.enumerated() {
      if Byte.isDigit(byte) {
        if !digits.isEmpty || byte != Byte.zero { digits.append(byte) }
        if hasPoint { places += 1 }
      } else if byte == Byte.point {
        hasPoint = true
      } else if byte | 0x20 == Byte.lowerE {
        exponent = Self.exponent(bytes[(index + 1)...])
        break
      }
    }
    if digits.isEmpty { return 0 }
    while digits.last == Byte.zero {
      digits.removeLast()
      places -= 1
    }
    let zeros = exponent - places
    // No integer has more digits than bits.
    guard zeros >= 0, digits.count + zeros <= Value.bitWidth else { return nil }
    digits += repeatElement(Byte.zero, count: zeros)
    return Value((isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self))
  }

  /// Returns the value of an exponent. A huge exponent is replaced by a smaller number with the
  /// same sign. The magnitude of the smaller number still exceeds the length of any text.
  private static func exponent(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    var value = 0
    for byte in bytes where Byte.isDigit(byte) && value < 1 << 48 {
      value = value * 10 + Int(byte - Byte.zero)
    }
    return bytes.first == Byte.minus ? -value : value
  }

  func float(_ node: Int) throws -> Float {
    guard tape.nodes[node].token == .number else { throw mismatch(Float.self, node) }
    let text = String(decoding: bytes(node), as: UTF8.self)
    guard let value = Float(text), value.isFinite else {
      throw corrupted(node, "\(text.excerpt()) does not fit Float")
    }
    return value
  }

  func double(_ node: Int) throws -> Double {
    guard tape.nodes[node].token == .number else { throw mismatch(Double.self, node) }
    let bytes = bytes(node)
    if let value = JSONDigits.double(bytes) { return value }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let value = Double(text), value.isFinite else {
      throw corrupted(node, "\(text.excerpt()) does not fit Double")
    }
    return value
  }

  func decode<T: Decodable>(_ type: T.Type, _ node: Int) throws -> T {
    let wanted = ObjectIdentifier(type)
    var index = 0
    while index < readTypes.count {
      if readTypes[index] == wanted {
        return try Unmanaged.passUnretained(readers[index])._withUnsafeGuaranteedRef { reader in
          try reader.read(node, self)
          // A reader is stored under the type that it reads.
          return reader.value.assumingMemoryBound(to: T.self).move()
        }
      }
      index &+= 1
    }
    func cast<Same>(_ value: Same) -> T { unsafeBitCast(value, to: T.self) }
    // These types are frequent as elements of arrays. Their `init(from:)` would look up types.
    if type == Int.self { return cast(try int(node)) }
    if type == String.self { return cast(try string(node)) }
    if type == Double.self { return cast(try double(node)) }
    if type == [Int].self { return cast(try array(node) { try int($0) }) }
    if type == [String].self { return cast(try array(node) { try string($0) }) }
    if type == [Double].self { return cast(try array(node) { try double($0) }) }
    if type == Date.self || type == URL.self || type == Decimal.self {
      return try converted(type, node)
    }
    // A string is decoded here, because `init(from:)` of `Data` reads an array of numbers.
    if type == Data.self, tape.nodes[node].token == .string { return cast(try data(node)) }
    if isObject(node), isDictionary(type) { return try dictionary(type, node) }
    return try T(from: SourceDecoder(self, node))
  }

  @inline(__always)
  private func array<Element>(
    _ node: Int, _ element: (Int) throws -> Element
  ) throws -> [Element] {
    let nodes = try elements(of: node)
    var elements: [Element] = []
    // There are as many nodes as elements, because each scalar has one node, and other elements are
    // refused.
    elements.reserveCapacity(nodes.count)
    for node in nodes { elements.append(try element(node)) }
    return elements
  }

  @inline(never)
  private func converted<T: Decodable>(_ type: T.Type, _ node: Int) throws -> T {
    if let value = try foundationValue(type, node) as? T { return value }
    return try T(from: SourceDecoder(self, node))
  }

  private func foundationValue(_ type: Any.Type, _ node: Int) throws -> Any {
    if type == URL.self {
      guard let url = URL(string: try string(node)) else { throw corrupted(node, "this is no URL") }
      return url
    }
    if type == Decimal.self {
      guard tape.nodes[node].token == .number else { throw mismatch(type, node) }
      let text = String(decoding: bytes(node), as: UTF8.self)
      guard let decimal = Decimal(string: text), let exact = JSONNumber("\(decimal)"),
        exact.compareValue(to: JSONNumber(checked: text)) == 0
      else {
        throw corrupted(node, "\(text.excerpt()) does not fit Decimal")
      }
      return decimal
    }
    return try date(node)
  }

  private func data(_ node: Int) throws -> Data {
    let text = try string(node)
    guard let data = Data(base64Encoded: text) else {
      throw corrupted(node, "\(text.quoted) is no Base64")
    }
    return data
  }

  private func date(_ node: Int) throws -> Date {
    switch options.dates ?? .iso8601 {
    case .plain: return Date(timeIntervalSinceReferenceDate: try double(node))
    case .secondsSince1970: return Date(timeIntervalSince1970: try double(node))
    case .millisecondsSince1970: return Date(timeIntervalSince1970: try double(node) / 1000)
    case .iso8601:
      if options.dates == nil, tape.nodes[node].token == .number {
        throw corrupted(
          node,
          "the number may count seconds or milliseconds since 1970, or seconds since 2001; import "
            + "with the option 'dates', such as 'dates: .secondsSince1970'")
      }
      let text = try string(node)
      guard let date = ISO8601Text.date(text) else {
        throw corrupted(node, "\(text.quoted) is no date such as \"2026-11-21T15:30:00Z\"")
      }
      return date
    case .formatted(let formatter):
      let text = try string(node)
      guard let date = formatter.date(from: text) else {
        throw corrupted(
          node,
          "\(text.quoted) is no date of the format \((formatter.dateFormat ?? "").quoted)")
      }
      return date
    case .custom(let decode, _): return try decode(SourceDecoder(self, node))
    }
  }
}

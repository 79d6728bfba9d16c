import EntiaDatabase
import Foundation

/// The order in which the values of a type encode their parts.
enum ElementOrder {
  /// The order is fixed.
  case fixed
  /// The order differs from one process to another.
  case none
  /// The order depends on the value.
  case unknown

  /// Creates the order of a type.
  init(_ type: Any.Type) {
    if let wrapper = type as? any OrderedWrapper.Type {
      self = wrapper.wrapped.map { ElementOrder($0) == .fixed } == true ? .fixed : .unknown
      if self == .unknown, type is any UnorderedValue.Type { self = .none }
    } else if type is any UnorderedValue.Type {
      self = .none
    } else {
      let isFixed =
        type == String.self || type == Bool.self || type == Double.self || type == Float.self
        || type == Date.self || type == Data.self || type == UUID.self || type == URL.self
        || type == Decimal.self || type is any FixedWidthInteger.Type
      self = isFixed ? .fixed : .unknown
    }
  }

  /// Whether all values of a value's type encode their parts in a fixed order, as far as this value
  /// shows: it must store no sets, at any depth. Code that encodes other values than the stored
  /// ones is not considered.
  static func isFixed(_ value: Any) -> Bool {
    let type = type(of: value)
    func declared<Value>(_ value: Value) -> Any.Type { Value.self }
    // A property of a protocol's type may have values of other types.
    guard _openExistential(value, do: declared) == type else { return false }
    switch ElementOrder(type) {
    case .fixed: return true
    case .none: return false
    case .unknown: break
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    // The first element stands for all of its type. An optional without a value has none.
    case .optional, .collection: return mirror.children.first.map { isFixed($0.value) } ?? false
    case .enum: return type is any RawRepresentable.Type
    case .struct:
      var end = 0
      for child in mirror.children {
        guard isFixed(child.value) else { return false }
        func place<Part>(_ part: Part) -> Int {
          let alignment = MemoryLayout<Part>.alignment
          return (end + alignment - 1) / alignment * alignment + MemoryLayout<Part>.size
        }
        end = _openExistential(child.value, do: place)
      }
      // A property of type `Any` has another size than its present value.
      func size<Whole>(_ whole: Whole) -> Int { MemoryLayout<Whole>.size }
      return end == _openExistential(value, do: size) && !(value is any CustomReflectable)
    default: return false
    }
  }
}

/// A type whose values encode nothing but values of another type, in a fixed order.
private protocol OrderedWrapper {
  /// The other type; `nil` if the order is not fixed.
  static var wrapped: Any.Type? { get }
}

extension Optional: OrderedWrapper {
  fileprivate static var wrapped: Any.Type? { Wrapped.self }
}

extension Array: OrderedWrapper {
  fileprivate static var wrapped: Any.Type? { Element.self }
}

extension Dictionary: OrderedWrapper {
  // Strings are the names of an object, whose members the encoder of JSON sorts.
  fileprivate static var wrapped: Any.Type? { Key.self == String.self ? Value.self : nil }
}

extension EntityIdentifier: OrderedWrapper {
  fileprivate static var wrapped: Any.Type? { Entity.EntityIDRawType.self }
}

import EntiaDatabase

/// Whether a type encodes itself as the one value that it contains, so that a reader knows the type
/// of that value.
func isTransparent<Value>(_ type: Value.Type) -> Bool {
  type is any RawRepresentable.Type || type is any WrappingValue.Type
}

/// A type that encodes itself as the one value that it contains.
private protocol WrappingValue {}

extension Optional: WrappingValue {}
extension EntityIdentifier: WrappingValue {}

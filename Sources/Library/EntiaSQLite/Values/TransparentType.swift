import EntiaDatabase

/// Returns whether a type encodes itself as the single value that it contains. The type of that
/// value is then known when it is read.
func isTransparent<Value>(_ type: Value.Type) -> Bool {
  type is any RawRepresentable.Type || type is any WrappingValue.Type
}

/// A type that encodes itself as the one value that it contains.
private protocol WrappingValue {}

extension Optional: WrappingValue {}
extension EntityIdentifier: WrappingValue {}

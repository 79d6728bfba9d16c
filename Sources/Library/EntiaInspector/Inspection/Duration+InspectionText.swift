extension Duration {
  /// The duration with three digits, such as `1.25 ms`.
  var inspectionText: String {
    let seconds = Double(components.seconds) + Double(components.attoseconds) / 1e18
    for (unit, size) in [("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)] where seconds.magnitude >= size {
      return "\(Self.text(seconds / size)) \(unit)"
    }
    return "\(Self.text(seconds / 1e-9)) ns"
  }

  /// Returns a number with at least three digits, without zeros at the end.
  private static func text(_ value: Double) -> String {
    let scale = value.magnitude < 10 ? 100.0 : value.magnitude < 100 ? 10 : 1
    let rounded = (value * scale).rounded() / scale
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}

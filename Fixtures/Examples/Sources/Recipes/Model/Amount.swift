/// How much of an ingredient a recipe needs, such as 200 g. Without a unit it is a number of pieces.
package struct Amount: Codable, Equatable, Sendable {
  package var value: Double
  package var unit: String
}

extension Amount: CustomStringConvertible {
  /// Parses an amount such as "200g", "1.5l" or "2".
  package init?(parsing text: String) {
    let digits = text.prefix { $0.isNumber || $0 == "." }
    guard let value = Double(digits) else { return nil }
    self.init(value: value, unit: String(text.dropFirst(digits.count)))
  }

  package var description: String {
    let number = Int(exactly: value).map(String.init) ?? String(value)
    return unit.isEmpty ? number : "\(number) \(unit)"
  }
}

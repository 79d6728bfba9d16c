extension Verdict {
  /// Returns the limit of the bar: a multiple of a contestant's figure, or an amount.
  func limitText(_ unit: Unit) -> String {
    guard contestant != nil else { return Figures.text(limit, unit) }
    let extra = allowance > 0 ? " + \(Figures.text(allowance, unit))" : ""
    return "×\(Figures.ratio(limit))\(extra)"
  }

  /// Returns the figure in the terms of the bar.
  func figureText(_ unit: Unit) -> String {
    contestant == nil ? Figures.text(figure, unit) : "×\(Figures.ratio(figure))"
  }

  /// Returns the bar and whether it is met.
  func text(_ unit: Unit) -> String { "bar \(limitText(unit)) \(isMet ? "ok" : "MISS")" }
}

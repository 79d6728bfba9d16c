extension Verdict {
  /// The bar in words: at most how many times whose figure, or how much.
  func limitText(_ unit: Unit) -> String {
    guard contestant != nil else { return Figures.text(limit, unit) }
    let extra = allowance > 0 ? " + \(Figures.text(allowance, unit))" : ""
    return "×\(Figures.ratio(limit))\(extra)"
  }

  /// The figure in the bar's terms.
  func figureText(_ unit: Unit) -> String {
    contestant == nil ? Figures.text(figure, unit) : "×\(Figures.ratio(figure))"
  }

  /// The bar and whether it is met.
  func text(_ unit: Unit) -> String { "bar \(limitText(unit)) \(isMet ? "ok" : "MISS")" }
}

extension Comparison {
  /// A table of the changes. Those beyond the spread are marked.
  package var text: String {
    var lines = [
      "new/old; “slower” and “faster” where no run of one report lies between those of the other",
      "“beside others” is new/old without what the other contestants changed by",
    ]
    var place = ""
    var item = ""
    for change in changes {
      let newPlace = "\(change.suite), \(Figures.size(change.size)) rows"
      if newPlace != place {
        lines += ["", Self.heading(newPlace)]
        place = newPlace
        item = ""
      }
      if change.item != item {
        lines.append("  \(change.item)")
        item = change.item
      }
      lines.append(Self.line(change))
    }
    for name in added { lines.append("only in the new report: \(name)") }
    for name in dropped { lines.append("only in the old report: \(name)") }
    let apart = changes.filter(\.isBeyondSpread)
    let more = apart.count { ($0.ratio ?? 1) > 1 }
    lines += [
      "", "\(changes.count) compared: \(more) more, \(apart.count - more) less, the rest as before",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func heading(_ place: String) -> String {
    Columns.left(place, 30) + Columns.right("old", 10) + Columns.right("", 8)
      + Columns.right("new", 10) + Columns.right("", 8) + Columns.right("new/old", 10)
      + Columns.right("beside others", 15)
  }

  private static func line(_ change: Change) -> String {
    var line =
      Columns.left("    \(change.new.contestant)", 30)
      + Columns.right(Figures.text(change.old.median, change.unit), 10)
      + Columns.right(Figures.spread(change.old), 8)
      + Columns.right(Figures.text(change.new.median, change.unit), 10)
      + Columns.right(Figures.spread(change.new), 8)
    line += Columns.right(change.ratio.map { "×" + Figures.ratio($0) } ?? "", 10)
    line += Columns.right(change.adjusted.map { "×" + Figures.ratio($0) } ?? "", 15)
    if change.isBeyondSpread, let ratio = change.ratio {
      let words = change.unit == .bytes ? ("more", "less") : ("slower", "faster")
      line += "  " + (ratio > 1 ? words.0 : words.1)
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}

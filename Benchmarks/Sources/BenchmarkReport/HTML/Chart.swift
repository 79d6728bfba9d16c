import Foundation

/// A chart of one case over its sizes, with one line for each contestant. It is an SVG element that
/// uses the colors of the page.
struct Chart {
  private static let width = 440.0
  private static let height = 280.0
  private static let left = 64.0
  private static let right = 22.0
  private static let top = 12.0
  private static let bottom = 40.0

  let title: String
  let unit: Unit
  let lines: [Line]

  /// The points of a contestant, in the order of their sizes.
  struct Line {
    let name: String
    /// The index of the color and the mark.
    let style: Int
    let points: [(size: Int, value: Double)]
  }

  /// The SVG element; `nil` if a logarithmic axis could not show any point.
  var svg: String? {
    let points = lines.flatMap(\.points).filter { $0.value > 0 }
    guard
      let x = LogScale(
        points.map { Double($0.size) }, from: Self.left, to: Self.width - Self.right),
      let y = LogScale(points.map(\.value), from: Self.height - Self.bottom, to: Self.top)
    else { return nil }
    var parts = [
      "<svg viewBox=\"0 0 \(number(Self.width)) \(number(Self.height))\" role=\"img\" "
        + "aria-label=\"\(escaped(title)): \(unitText) by rows\">"
    ]
    parts += axes(x, y)
    for line in lines { parts += drawn(line, x, y) }
    parts.append("</svg>")
    return parts.joined(separator: "\n")
  }

  private var unitText: String { unit == .bytes ? "bytes" : "time of one operation" }

  private func axes(_ x: LogScale, _ y: LogScale) -> [String] {
    let floor = number(y.start)
    var parts: [String] = []
    for tick in y.ticks {
      let place = number(y.position(tick))
      parts.append(
        "<line class=\"grid\" x1=\"\(number(x.start))\" x2=\"\(number(x.end))\" "
          + "y1=\"\(place)\" y2=\"\(place)\"/>")
      parts.append(
        "<text class=\"tick\" text-anchor=\"end\" dominant-baseline=\"middle\" "
          + "x=\"\(number(x.start - 6))\" y=\"\(place)\">\(Self.label(tick, unit))</text>")
    }
    for tick in x.ticks {
      let place = number(x.position(tick))
      parts.append(
        "<line class=\"grid\" x1=\"\(place)\" x2=\"\(place)\" y1=\"\(number(y.end))\" "
          + "y2=\"\(floor)\"/>")
      parts.append(
        "<text class=\"tick\" text-anchor=\"middle\" x=\"\(place)\" "
          + "y=\"\(number(y.start + 16))\">\(Self.label(tick))</text>")
    }
    parts.append(
      "<text class=\"tick\" text-anchor=\"middle\" x=\"\(number((x.start + x.end) / 2))\" "
        + "y=\"\(number(Self.height - 6))\">rows</text>")
    return parts
  }

  private func drawn(_ line: Line, _ x: LogScale, _ y: LogScale) -> [String] {
    let places = line.points.filter { $0.value > 0 }.map {
      (x: x.position(Double($0.size)), y: y.position($0.value), point: $0)
    }
    let path = places.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
    var parts = ["<g class=\"line s\(line.style)\">"]
    if places.count > 1 { parts.append("<polyline points=\"\(path)\"/>") }
    for place in places {
      parts.append(
        "<g transform=\"translate(\(number(place.x)) \(number(place.y)))\">"
          + Self.mark(line.style)
          + "<title>\(escaped(line.name)), \(Figures.size(place.point.size)) rows: "
          + "\(Figures.text(place.point.value, unit))</title></g>")
    }
    parts.append("</g>")
    return parts
  }

  /// Returns a mark around the origin, by which lines are distinguished without their colors.
  static func mark(_ style: Int) -> String {
    switch style % 4 {
    case 0: "<circle r=\"4\"/>"
    case 1: "<rect x=\"-3.5\" y=\"-3.5\" width=\"7\" height=\"7\"/>"
    case 2: "<path d=\"M0 -5 5 0 0 5 -5 0Z\"/>"
    default: "<path d=\"M0 -5 4.5 3.5 -4.5 3.5Z\"/>"
    }
  }

  /// Returns a size in short form: 1000 as 1k.
  private static func label(_ size: Double) -> String {
    switch size {
    case ..<1_000: String(format: "%.0f", size)
    case ..<1_000_000: String(format: "%.0fk", size / 1_000)
    default: String(format: "%.0fM", size / 1_000_000)
    }
  }

  /// Returns a power of ten with its unit.
  private static func label(_ value: Double, _ unit: Unit) -> String {
    let steps: [(Double, String)] =
      unit == .bytes
      ? [(1e9, " GB"), (1e6, " MB"), (1e3, " kB"), (0, " B")]
      : [(1e9, " s"), (1e6, " ms"), (1e3, " µs"), (0, " ns")]
    // Powers of ten are not exact, so the next unit begins slightly below.
    let step = steps.first { value > $0.0 * 0.999 } ?? (0, "")
    return String(format: "%g", value / max(step.0, 1)) + step.1
  }
}

/// Returns a coordinate without unnecessary digits.
private func number(_ value: Double) -> String {
  let text = String(format: "%.1f", value)
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// Returns a text with HTML's special characters escaped.
func escaped(_ text: String) -> String {
  var result = ""
  for character in text {
    switch character {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    default: result.append(character)
    }
  }
  return result
}

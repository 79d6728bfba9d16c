/// A bar and the figure that is compared with it.
package struct Verdict: Equatable, Sendable {
  /// The contestant to compare with; `nil` if the bar is absolute.
  package let contestant: String?
  package let limit: Double
  /// The allowance in addition to the multiple of the contestant's figure, in the case's unit.
  package let allowance: Double
  /// The value that must not exceed the limit: the figure of an absolute bar, or the figure less
  /// the allowance as a multiple of the contestant's.
  package let figure: Double

  package init(contestant: String?, limit: Double, allowance: Double = 0, figure: Double) {
    self.contestant = contestant
    self.limit = limit
    self.allowance = allowance
    self.figure = figure
  }

  /// Whether the figure meets the bar.
  package var isMet: Bool { figure <= limit }
}

/// A bar beside the figure it is for.
package struct Verdict: Equatable, Sendable {
  /// The contestant that is the measure; `nil` when the bar is absolute.
  package let contestant: String?
  package let limit: Double
  /// What the bar grants beside the multiple of the contestant's figure, in the case's unit.
  package let allowance: Double
  /// What must not be above the limit: the figure, or what is left of it without the allowance as a
  /// multiple of the contestant's.
  package let figure: Double

  package init(contestant: String?, limit: Double, allowance: Double = 0, figure: Double) {
    self.contestant = contestant
    self.limit = limit
    self.allowance = allowance
    self.figure = figure
  }

  /// Whether the figure is as good as it must be.
  package var isMet: Bool { figure <= limit }
}

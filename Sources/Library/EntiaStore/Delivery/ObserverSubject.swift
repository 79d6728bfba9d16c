/// A source of an observed value, described for an inspection.
protocol ObserverSubject: AnyObject, Sendable {
  /// The value in words, such as `query of Book in library`.
  var subject: String { get }

  /// The query that the value is read from, or `nil` if it is read from none.
  var inspectedQuery: InspectedQuery? { get }
}

extension ObserverSubject {
  var inspectedQuery: InspectedQuery? { nil }
}

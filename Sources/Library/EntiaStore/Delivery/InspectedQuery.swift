package import EntiaDatabase

/// A live query of a store, described for an inspection.
package struct InspectedQuery: Sendable {
  /// The identity of the query, for as long as it exists.
  package let id: ObjectIdentifier
  /// The query in words, such as `query of Book in library`.
  package let subject: String
  /// How a fetch of it would be executed now.
  package let explanation: FetchExplanation
  /// The work done so far to update it.
  package let work: LiveWork
}

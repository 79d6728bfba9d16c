/// The observation of a value for tracked reads. It ends when neither a holder nor a pending read
/// is left.
protocol UnheldTracking: AnyObject, Sendable {
  /// Whether the value is observed only for pending reads.
  var isUnheld: Bool { get }

  /// Ends the observation if there is neither a holder nor a pending read.
  func stopIfUnused()
}

/// An undelivered event with its sequence number.
struct PostedEvent: Sendable {
  var event: StoreEvent
  let sequence: UInt64
  /// The only observer that it is for, or `nil` if it is for all observers at the time of posting.
  let addressee: UInt64?
  /// The thread that posted it, or `nil` if several threads did.
  var poster: ThreadIdentity?
  /// The number of registrations of rows in the queue when the commit had called all filters; `nil`
  /// if they have to be called at the delivery.
  var registrationCount: UInt64?

  /// Returns whether a thread posted it, alone or with others.
  func isPosted(by thread: ThreadIdentity) -> Bool { poster == nil || poster == thread }
}

/// The source of a subscription.
protocol SubscriptionOwner: AnyObject, Sendable {
  func end(_ id: UInt64)
  func keep(_ subscription: StoreSubscription, _ id: UInt64)
}

/// An undelivered activity, for the parts of a store that do not depend on its type.
///
/// Sendable although it has a subclass: the only subclass is `SentActivity`, which adds one
/// constant.
@usableFromInline
class AnySentActivity: @unchecked Sendable {
  fileprivate init() {}
}

/// An undelivered activity.
final class SentActivity<Activity: Sendable>: AnySentActivity, @unchecked Sendable {
  let activity: Activity

  init(_ activity: Activity) {
    self.activity = activity
    super.init()
  }
}

extension AnySentActivity {
  /// Returns the activity with its type. Only the store that it was sent to may call this, because
  /// optimized builds do not check the type.
  func of<Activity: Sendable>(_ type: Activity.Type) -> Activity {
    unsafeDowncast(self, to: SentActivity<Activity>.self).activity
  }
}

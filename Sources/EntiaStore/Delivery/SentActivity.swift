/// An activity on its way, for the parts of a store that pass it on without looking in.
///
/// Sendable although it can be inherited from: the only heir is `SentActivity`, which adds one
/// constant.
@usableFromInline
class AnySentActivity: @unchecked Sendable {
  fileprivate init() {}
}

/// An activity on its way.
final class SentActivity<Activity: Sendable>: AnySentActivity, @unchecked Sendable {
  let activity: Activity

  init(_ activity: Activity) {
    self.activity = activity
    super.init()
  }
}

extension AnySentActivity {
  /// The activity with its type; only the store it was sent to may ask, because it is not checked
  /// again in optimized builds.
  func of<Activity: Sendable>(_ type: Activity.Type) -> Activity {
    unsafeDowncast(self, to: SentActivity<Activity>.self).activity
  }
}

/// The kind of events that an observer receives.
enum ObservedRegion: Sendable {
  case states
  case activities
  case rows(RowObserverIndex.ObservedRows)
}

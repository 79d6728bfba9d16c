/// The tracking of rows for Observation. Readers are looked up by the keys of the rows.
struct TrackedRows: ReadTracking {
  let tracking: RowTracking
  let rows: RowObserverIndex.ObservedRows

  var isTracked: Bool { tracking.isTracked }
  func addHolder() {}
  func registerRead(_ source: any StateSource) -> Bool { tracking.registerRead(rows) }
  func removeHolder() {}
}

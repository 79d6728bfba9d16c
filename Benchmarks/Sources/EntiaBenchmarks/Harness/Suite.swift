/// Related cases, which are run in order at each size.
struct Suite {
  let name: String
  let summary: String
  /// The maximum memory for each row, including everything that the cases hold at the same time.
  let bytesPerRow: Int
  /// Checks the correctness of the results before the cases are run. Throws an error if they are
  /// wrong.
  let check: (@Sendable (Stage) throws -> Void)?
  /// Returns the reason why the suite cannot be run on this machine; `nil` if it can.
  let reasonToSkipAll: (@Sendable () -> String?)?
  let cases: [Case]

  init(
    name: String, summary: String, bytesPerRow: Int,
    check: (@Sendable (Stage) throws -> Void)? = nil,
    reasonToSkipAll: (@Sendable () -> String?)? = nil, cases: [Case]
  ) {
    self.name = name
    self.summary = summary
    self.bytesPerRow = bytesPerRow
    self.check = check
    self.reasonToSkipAll = reasonToSkipAll
    self.cases = cases
  }

  /// Returns the reason why a size cannot be run on this machine; `nil` if it can.
  func reasonToSkip(_ size: Int) -> String? {
    if let reason = reasonToSkipAll?() { return reason }
    guard let free = SystemMemory.available else { return nil }
    let wanted = size * bytesPerRow
    guard wanted > free else { return nil }
    let (wantedMiB, freeMiB) = (wanted >> 20, free >> 20)
    return "it takes about \(wantedMiB) MiB and \(freeMiB) MiB are free"
  }
}

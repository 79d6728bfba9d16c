/// Cases that belong together, run in their order at each size.
struct Suite {
  let name: String
  let summary: String
  /// The memory that a row takes at most, everything that the cases hold at once included.
  let bytesPerRow: Int
  /// Sees before anything else that the results are right at all; throws when they are not.
  let check: (@Sendable (Stage) throws -> Void)?
  let cases: [Case]

  init(
    name: String, summary: String, bytesPerRow: Int,
    check: (@Sendable (Stage) throws -> Void)? = nil, cases: [Case]
  ) {
    self.name = name
    self.summary = summary
    self.bytesPerRow = bytesPerRow
    self.check = check
    self.cases = cases
  }

  /// Why a size cannot be run here; `nil` when it can.
  func reasonToSkip(_ size: Int) -> String? {
    guard let free = SystemMemory.available else { return nil }
    let wanted = size * bytesPerRow
    guard wanted > free else { return nil }
    let (wantedMiB, freeMiB) = (wanted >> 20, free >> 20)
    return "it takes about \(wantedMiB) MiB and \(freeMiB) MiB are free"
  }
}

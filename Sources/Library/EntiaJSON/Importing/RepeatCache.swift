import EntiaCoding

/// A cache of the texts of recently read nested records, with their rows. Records that are nested
/// in many others often recur with the same bytes, and need not be decoded again.
@usableFromInline
final class RepeatCache {
  /// The result of looking up a text.
  @frozen
  @usableFromInline
  struct Text {
    /// The position of the row, if the text was read before.
    @usableFromInline var place: Int?
    /// Whether the text should be cached.
    var isNew = false
    var hash: UInt64 = 0
    /// The counts of records, updates, problems and ignored members before the text is decoded.
    var records = 0
    var updates = 0
    var problems = 0
    var ignored = 0
  }

  private struct Slot {
    let hash: UInt64
    let count: Int
    let place: Int
    /// The number of records in the text: the nested record itself, and those inside it.
    let records: Int
    /// The number of updates when the text was cached. If the number has grown since, the row may
    /// have been replaced.
    let updates: Int
  }

  /// The maximum length of a cached text.
  private static let longest = 512
  /// The number of slots of a new cache. The cache grows with the number of texts, because
  /// initializing a large cache takes longer than a small import.
  private static let firstSlotCount = 64
  private static let maximumSlotCount = 4096
  /// The cache is considered useless after this number of texts without a recurrence.
  private static let patience = 1024
  /// A useless cache is tried again after this number of texts.
  private static let pause = 1 << 16

  @exclusivity(unchecked) private var slots: [Slot?] = []
  /// The texts, each at the position of its slot.
  @exclusivity(unchecked) private var texts: [UInt8] = []
  /// The number of texts that have been stored since the cache grew.
  @exclusivity(unchecked) private var stored = 0
  @exclusivity(unchecked) private var found = 0
  @exclusivity(unchecked) private var missed = 0
  @exclusivity(unchecked) private var passed = 0

  @usableFromInline
  init() {}

  /// Looks up the text of a node. If the text is cached, counts its records as if they had been
  /// read again.
  @usableFromInline
  func find(_ node: Int, _ run: DecodingRun, _ context: TypedImportContext) -> Text {
    let text = run.bytes(node)
    guard text.count <= Self.longest, context.trustsRepeats, isWorthwhile() else { return Text() }
    let hash = ByteRange.hash(UnsafeRawBufferPointer(text))
    let index = slotIndex(hash)
    if !slots.isEmpty, let slot = slots[index], slot.hash == hash,
      slot.count == text.count, slot.updates == context.counts.updated
    {
      let start = index * Self.longest
      let isEqual = texts.withUnsafeBufferPointer {
        ByteRange.areEqual(UnsafeBufferPointer(rebasing: $0[start..<start + text.count]), text)
      }
      if isEqual {
        found += 1
        context.countRepeated(slot.records)
        return Text(place: slot.place)
      }
    }
    missed += 1
    return Text(
      isNew: true, hash: hash, records: context.counts.read,
      updates: context.counts.updated, problems: context.problems.count,
      ignored: context.ignoredCount)
  }

  private func slotIndex(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash) & (slots.count - 1)
  }

  /// Creates the slots. If as many texts have been stored as there are slots, creates four times as
  /// many slots, and discards the cached texts.
  private func grow() {
    let count = slots.isEmpty ? Self.firstSlotCount : slots.count * 4
    guard slots.isEmpty || stored >= slots.count, count <= Self.maximumSlotCount else { return }
    slots = Array(repeating: nil, count: count)
    texts = Array(repeating: 0, count: count * Self.longest)
    stored = 0
  }

  private func isWorthwhile() -> Bool {
    guard missed > Self.patience + found * 8 else { return true }
    passed += 1
    if passed >= Self.pause { (found, missed, passed) = (0, 0, 0) }
    return false
  }

  /// Caches a text that was read without updates, problems and ignored members. Replaces the text
  /// that is in the same slot, if any.
  @usableFromInline
  func store(
    _ text: Text, _ node: Int, _ run: DecodingRun, _ context: TypedImportContext, place: Int
  ) {
    guard text.isNew, context.counts.updated == text.updates,
      context.problems.count == text.problems,
      context.ignoredCount == text.ignored
    else { return }
    grow()
    stored += 1
    let bytes = run.bytes(node)
    let index = slotIndex(text.hash)
    slots[index] = Slot(
      hash: text.hash, count: bytes.count, place: place,
      records: context.counts.read - text.records, updates: text.updates)
    texts.withUnsafeMutableBufferPointer {
      let target = $0[(index * Self.longest)..<(index * Self.longest + bytes.count)]
      _ = UnsafeMutableBufferPointer(rebasing: target).update(from: bytes)
    }
  }
}

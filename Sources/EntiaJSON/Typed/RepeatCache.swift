/// A cache of the texts of recently read nested records, with their rows. Records that are nested
/// in many others often recur with the same bytes, and need not be decoded again.
@usableFromInline
final class RepeatCache {
  /// The result of looking up a text.
  @frozen
  @usableFromInline
  struct Text {
    /// The position of the row, if the text was read before.
    @usableFromInline let place: Int?
    /// Whether the text should be cached.
    let isNew: Bool
    let hash: UInt64
    /// The counts of records, problems and ignored members before the text.
    let records: Int
    let problems: Int
    let ignored: Int
  }

  private struct Slot {
    let hash: UInt64
    let count: Int
    let place: Int
    /// The number of records in the text, including itself.
    let records: Int
  }

  /// The maximum length of a cached text.
  private static let longest = 512
  private static let slotCount = 4096
  /// The number of texts without a recurrence after which the cache is considered useless.
  private static let patience = 1024
  /// The number of texts after which the cache is tried again.
  private static let pause = 1 << 16

  @exclusivity(unchecked) private var slots: [Slot?] = []
  /// The texts, each at the position of its slot.
  @exclusivity(unchecked) private var texts: [UInt8] = []
  @exclusivity(unchecked) private var found = 0
  @exclusivity(unchecked) private var missed = 0
  @exclusivity(unchecked) private var passed = 0

  @usableFromInline
  init() {}

  /// Looks up the text at a node; the records in a cached text are counted as read.
  @usableFromInline
  func find(_ node: Int, _ run: DecodingRun, _ context: TypedImportContext) -> Text {
    let unknown = Text(place: nil, isNew: false, hash: 0, records: 0, problems: 0, ignored: 0)
    let text = run.bytes(node)
    guard text.count <= Self.longest, context.trustsRepeats, isWorthwhile() else { return unknown }
    let hash = ByteRange.hash(UnsafeRawBufferPointer(text))
    let index = Int(truncatingIfNeeded: hash) & (Self.slotCount - 1)
    if !slots.isEmpty, let slot = slots[index], slot.hash == hash, slot.count == text.count {
      let start = index * Self.longest
      let isEqual = texts.withUnsafeBufferPointer {
        ByteRange.areEqual(UnsafeBufferPointer(rebasing: $0[start..<start + text.count]), text)
      }
      if isEqual {
        found += 1
        context.countRepeated(slot.records)
        return Text(
          place: slot.place, isNew: false, hash: hash, records: 0, problems: 0, ignored: 0)
      }
    }
    missed += 1
    return Text(
      place: nil, isNew: true, hash: hash, records: context.counts.read,
      problems: context.problems.count, ignored: context.ignoredCount)
  }

  private func isWorthwhile() -> Bool {
    guard missed > Self.patience + found * 8 else { return true }
    passed += 1
    if passed >= Self.pause { (found, missed, passed) = (0, 0, 0) }
    return false
  }

  /// Caches a text that was read without problems and ignored members, and replaces another one if
  /// necessary.
  @usableFromInline
  func store(
    _ text: Text, _ node: Int, _ run: DecodingRun, _ context: TypedImportContext, place: Int
  ) {
    guard text.isNew, context.problems.count == text.problems,
      context.ignoredCount == text.ignored
    else { return }
    if slots.isEmpty {
      slots = Array(repeating: nil, count: Self.slotCount)
      texts = Array(repeating: 0, count: Self.slotCount * Self.longest)
    }
    let bytes = run.bytes(node)
    let index = Int(truncatingIfNeeded: text.hash) & (Self.slotCount - 1)
    slots[index] = Slot(
      hash: text.hash, count: bytes.count, place: place,
      records: context.counts.read - text.records)
    texts.withUnsafeMutableBufferPointer {
      let target = $0[(index * Self.longest)..<(index * Self.longest + bytes.count)]
      _ = UnsafeMutableBufferPointer(rebasing: target).update(from: bytes)
    }
  }
}

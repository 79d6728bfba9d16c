/// Remembers the texts of nested records that were read lately, with their IDs: what many records
/// nest comes again and again in the same bytes, and need not be decoded again.
struct RepeatCache<ID> {
  private struct Slot {
    let hash: UInt64
    let count: Int
    let id: ID
    /// How many records the text holds, itself included.
    let records: Int
  }

  /// Longer texts are not remembered.
  static var longest: Int { 512 }
  private static var slotCount: Int { 4096 }

  private var slots: [Slot?] = []
  /// The texts, each at its slot's place.
  private var texts: [UInt8] = []

  /// Finds a text among those remembered.
  func find(
    _ text: UnsafeBufferPointer<UInt8>, _ hash: UInt64
  ) -> (id: ID, records: Int)? {
    let place = Int(truncatingIfNeeded: hash) & (Self.slotCount - 1)
    guard !slots.isEmpty, let slot = slots[place], slot.hash == hash, slot.count == text.count
    else { return nil }
    let start = place * Self.longest
    let isEqual = texts.withUnsafeBufferPointer {
      ByteRange.areEqual(UnsafeBufferPointer(rebasing: $0[start..<start + text.count]), text)
    }
    return isEqual ? (slot.id, slot.records) : nil
  }

  /// Remembers a text, in the place of another if need be.
  mutating func note(
    _ text: UnsafeBufferPointer<UInt8>, _ hash: UInt64, id: ID, records: Int
  ) {
    if slots.isEmpty {
      slots = Array(repeating: nil, count: Self.slotCount)
      texts = Array(repeating: 0, count: Self.slotCount * Self.longest)
    }
    let place = Int(truncatingIfNeeded: hash) & (Self.slotCount - 1)
    slots[place] = Slot(hash: hash, count: text.count, id: id, records: records)
    texts.withUnsafeMutableBufferPointer {
      let target = $0[(place * Self.longest)..<(place * Self.longest + text.count)]
      _ = UnsafeMutableBufferPointer(rebasing: target).update(from: text)
    }
  }
}

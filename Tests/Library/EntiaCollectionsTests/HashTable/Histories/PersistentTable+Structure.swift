@testable import EntiaCollections

extension PersistentTable {
  /// What is wrong with the shape of the trees, which need not show in what they answer.
  func structureProblem() -> String? {
    if count > nextSlot { return "\(count) rows in \(nextSlot) slots" }
    if root == nil { return nextSlot == 0 && index.word.isNone || count == 0 ? nil : "no root" }
    if isCompacting {
      if gapStart > gapEnd || gapEnd > nextSlot { return "gap \(gapStart)..<\(gapEnd)" }
      let run = firstLiveRun(from: gapStart)
      if gapStart < gapEnd, !run.isEmpty, run.lowerBound < gapEnd { return "a row in the gap" }
    }
    var live = 0
    var slot = 0
    while true {
      let run = firstLiveRun(from: slot)
      if run.isEmpty { break }
      live += run.count
      slot = run.upperBound
    }
    if live != count { return "\(live) live slots for \(count) rows" }
    if slot > nextSlot { return "a live slot behind the last" }
    return index.structureProblem()
  }
}

extension SlotIndex {
  func structureProblem() -> String? {
    if word.isNone { return nil }
    return Self.problem(word, prefix: 0, bits: 0, run: Branch.shift)
  }

  /// - Parameters:
  ///   - prefix: the leading tag bits of all entries below.
  ///   - bits: how many of them there are.
  private static func problem(_ word: IndexWord, prefix: UInt32, bits: Int, run: Int) -> String? {
    guard word.isBranch else {
      if IndexWord(word.chunk) != word { return "a word with the wrong code" }
      return chunkProblem(word.chunk, prefix: prefix, bits: bits, run: run)
    }
    let words = word.branch.elements
    var start = 0
    while start < Branch.fanOut {
      var end = start + 1
      while end < Branch.fanOut, words[end] == words[start] { end += 1 }
      let run = (end - start).trailingZeroBitCount
      if end - start != 1 << run || start % (end - start) != 0 { return "a run \(start)..<\(end)" }
      let childBits = bits + Branch.shift - run
      let child = prefix << UInt32(Branch.shift - run) | UInt32(start >> run)
      if let problem = problem(words[start], prefix: child, bits: childBits, run: run) {
        return problem
      }
      start = end
    }
    return nil
  }

  private static func chunkProblem(
    _ chunk: Chunk, prefix: UInt32, bits: Int, run: Int
  ) -> String? {
    let header = chunk.header.pointee
    if Int(header.run) != run { return "run \(header.run) in a chunk of run \(run)" }
    var count = 0
    var misplaced: UInt32?
    chunk.forEachEntry { tag, slot in
      count += 1
      if bits > 0, tag >> UInt32(31 - bits) != prefix { misplaced = tag }
      // Full buckets, and no others, stand between an entry and its home.
      let mask = chunk.mask
      let place = chunk.locate(tag) { $0 == slot }
      var index = Chunk.home(tag, mask)
      while index != place.index {
        if IndexBucket(at: index, of: chunk.buckets).free != 0 { misplaced = tag }
        index = (index + 1) & mask
      }
    }
    if let misplaced { return "tag \(misplaced) where no look-up finds it" }
    if Int(header.count) != count { return "\(count) entries counted as \(header.count)" }
    return count > 6 << Int(header.shift) ? "a chunk too full" : nil
  }
}

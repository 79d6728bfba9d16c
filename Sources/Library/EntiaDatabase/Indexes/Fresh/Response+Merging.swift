// Merging the pages of two versions of an answer.
extension Response {
  /// Returns an answer with the changes of another version since a common one, page by page, or
  /// `nil` when no first page is left. A missing version has no pages.
  static func merged(_ mine: Self?, _ theirs: Self?, base: Self?) -> Self? {
    let pages = (mine: pages(of: mine), theirs: pages(of: theirs), base: pages(of: base))
    var merged: [ResponsePage<Entity>] = []
    var cursors: Set<String?> = []
    var cursor: String?
    // A page belongs to the answer as long as another page leads to it.
    repeat {
      let page = ResponsePage.merged(
        pages.mine[cursor], pages.theirs[cursor], base: pages.base[cursor])
      guard let page, cursors.insert(cursor).inserted else { break }
      merged.append(page)
      cursor = page.next
    } while cursor != nil
    guard let first = merged.first else { return nil }
    var answer = Self(first)
    answer.pages = merged
    let isChangedByThem = theirs?.isInvalidated != base?.isInvalidated
    let side = isChangedByThem ? theirs ?? mine : mine ?? theirs
    answer.isInvalidated = side?.isInvalidated == true
    answer.removeRepeats()
    return answer
  }

  /// Returns the pages of an answer by the cursors with which they were requested.
  private static func pages(of answer: Self?) -> [String?: ResponsePage<Entity>] {
    Dictionary(
      (answer?.pages ?? []).map { ($0.after, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Removes each ID from all pages but the earliest that has it.
  mutating func removeRepeats() {
    var seen: Set<Entity.EntityID> = []
    for index in pages.indices {
      for id in pages[index].ids.ids() where !seen.insert(id).inserted {
        pages[index].ids.remove(id)
      }
    }
  }
}

extension ResponsePage {
  /// Returns a page with the changes of another version since a common one.
  ///
  /// If one side received the page again, its page is taken; if both did, the later one. Versions
  /// of one reception are merged by their IDs, which are those of the rows that were removed or
  /// restored since. A page that one side removed stays if the other received it again.
  static func merged(_ mine: Self?, _ theirs: Self?, base: Self?) -> Self? {
    if theirs == base { return mine }
    if mine == base { return theirs }
    guard let mine else { return theirs.flatMap { $0.isReceived(with: base) ? nil : $0 } }
    guard let theirs else { return mine.isReceived(with: base) ? nil : mine }
    if mine.isReceived(with: theirs) {
      let old = base.flatMap { $0.isReceived(with: mine) ? $0.ids : nil }
      var merged = mine
      merged.ids.merge(HeldIDsChanges(old: old ?? .init(), new: theirs.ids))
      return merged
    }
    if mine.isReceived(with: base) { return theirs }
    if theirs.isReceived(with: base) { return mine }
    return mine.receivedAt < theirs.receivedAt ? theirs : mine
  }

  /// Whether another version of the page is of the same reception.
  private func isReceived(with other: Self?) -> Bool {
    receivedAt == other?.receivedAt && next == other?.next
  }
}

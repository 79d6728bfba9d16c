public import Foundation

/// The answer to a request: the IDs of entities in the answer's order, the time at which it was
/// received, and the cursor of the next page.
public struct Response<Entity: EntityType>: Equatable, Sendable {
  /// The pages of the answer, in order. No ID is in two of them.
  var pages: [ResponsePage<Entity>]

  /// Whether the answer should be requested again, regardless of its age. The value is `true` after
  /// the answer was invalidated or one of its rows was evicted, until its first page is received
  /// again.
  package internal(set) var isInvalidated = false

  init(_ page: ResponsePage<Entity>) { pages = [page] }

  /// The time at which the oldest page was received.
  public var receivedAt: Date { pages.lazy.map(\.receivedAt).reduce(.distantFuture, min) }

  /// The cursor of the next page, or `nil` when there is none.
  public var cursor: String? { pages.last?.next }

  /// Whether there is no next page.
  public var isComplete: Bool { cursor == nil }

  /// The number of IDs.
  /// - Complexity: O(*p*) in the number of pages.
  package var count: Int { pages.reduce(0) { $0 + $1.ids.count } }

  /// Returns the IDs in the order of the answer, without those of removed entities.
  /// - Complexity: O(*n*).
  public func ids() -> [Entity.EntityID] { pages.flatMap { $0.ids.ids() } }

  /// Whether an ID is in the answer.
  /// - Complexity: O(*p*) expected in the number of pages.
  package func contains(_ id: Entity.EntityID) -> Bool { pages.contains { $0.ids.contains(id) } }

  /// Whether the answer was received less than a duration ago, and has not been invalidated. A time
  /// in the future counts as now.
  /// - Parameters:
  ///   - duration: The duration.
  ///   - now: The current time.
  /// - Complexity: O(*p*) in the number of pages.
  public func isFresh(within duration: Duration, at now: Date) -> Bool {
    !isInvalidated && EntiaDatabase.isFresh(receivedAt: receivedAt, within: duration, at: now)
  }
}

/// A page of an answer.
struct ResponsePage<Entity: EntityType>: Equatable, Sendable {
  /// The cursor with which the page was requested; `nil` for the first page.
  let after: String?
  /// The cursor of the next page.
  let next: String?
  let receivedAt: Date
  var ids: Indexes.OrderedID<Entity>
}

extension Response {
  /// Whether the answer accepts a page that was requested with a cursor. It accepts the first page,
  /// any page that it already has, and the page that follows its last page.
  func accepts(pageAfter cursor: String?) -> Bool {
    cursor == nil || cursor == self.cursor || pages.contains { $0.after == cursor }
  }

  /// Replaces the page that was requested with the cursor `page.after`, or appends `page` if there
  /// is no such page. If the next cursor of the replaced page differs from `page.next`, the pages
  /// after the replaced page are removed.
  /// - Parameters:
  ///   - page: The page.
  ///   - contains: Whether an ID is in the answer.
  mutating func insert(
    _ page: ResponsePage<Entity>, whereAnswerContains contains: (Entity.EntityID) -> Bool
  ) {
    if page.after == nil { isInvalidated = false }
    guard let index = pages.firstIndex(where: { $0.after == page.after }) else {
      var page = page
      for id in page.ids.ids() where contains(id) { page.ids.remove(id) }
      return pages.append(page)
    }
    let isFollowed = pages[index].next == page.next
    pages[index] = page
    if !isFollowed { pages.removeSubrange((index + 1)...) }
    removeRepeats()
  }

  /// Compares each page of this version with the page at the same position in another version, and
  /// returns the IDs in the differing pages. The result includes all IDs that only this version
  /// has.
  func ids(inPagesChangedFrom other: Self?) -> Set<Entity.EntityID> {
    var ids: Set<Entity.EntityID> = []
    for (index, page) in pages.enumerated() {
      if let other, index < other.pages.count, page.ids.isIdentical(to: other.pages[index].ids) {
        continue
      }
      ids.formUnion(page.ids)
    }
    return ids
  }

  /// Removes an ID.
  mutating func remove(_ id: Entity.EntityID) {
    for index in pages.indices where pages[index].ids.remove(id) { return }
  }
}

extension Response: Encodable where Entity.EntityIDRawType: Encodable {}
extension Response: Decodable where Entity.EntityIDRawType: Decodable {}
extension ResponsePage: Encodable where Entity.EntityIDRawType: Encodable {}
extension ResponsePage: Decodable where Entity.EntityIDRawType: Decodable {}

// Merging the pages of two versions of an answer.
extension Response {
  /// Returns `mine` with the changes from `base` to `theirs`, page by page. Returns `nil` if the
  /// merged answer has no first page. A version that is `nil` has no pages.
  static func merged(_ mine: Self?, _ theirs: Self?, base: Self?) -> Self? {
    let pages = (mine: pages(of: mine), theirs: pages(of: theirs), base: pages(of: base))
    var merged: [ResponsePage<Entity>] = []
    var cursors: Set<String?> = []
    var cursor: String?
    // Only the pages to which the cursors lead from the first page belong to the merged answer.
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
    answer.isInvalidated = isInvalidated(first, mine, theirs, base: base)
    answer.removeRepeats()
    return answer
  }

  /// Returns whether a merged answer is invalidated, given its first page. The flag is that of
  /// the side that received the page. If both sides received it, the flag is the one that has
  /// changed since `base`; a `base` without the page counts as not invalidated, because every
  /// reception ends an invalidation. An invalidation since `base` by the other side is also kept,
  /// unless that side received the first page again.
  private static func isInvalidated(
    _ first: ResponsePage<Entity>, _ mine: Self?, _ theirs: Self?, base: Self?
  ) -> Bool {
    func flag(_ answer: Self?, with page: ResponsePage<Entity>) -> Bool? {
      guard let answer, page.isReceived(with: answer.pages.first) else { return nil }
      return answer.isInvalidated
    }
    if let base, !base.isInvalidated, let page = base.pages.first,
      flag(mine, with: page) == true || flag(theirs, with: page) == true
    {
      return true
    }
    guard let mine = flag(mine, with: first) else { return flag(theirs, with: first) ?? false }
    guard let theirs = flag(theirs, with: first) else { return mine }
    return theirs == (flag(base, with: first) ?? false) ? mine : theirs
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
  /// Returns `mine` with the changes from `base` to `theirs`.
  ///
  /// If one side received the page again, the result is the page of that side. If both sides did,
  /// the result is the page that was received later. If neither side did, the pages differ only by
  /// rows that were removed or restored, and the IDs of both pages are merged. A page that one side
  /// removed stays if the other side received it again.
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

  /// Whether this page and another version of it have the same time and the same next cursor.
  fileprivate func isReceived(with other: Self?) -> Bool {
    receivedAt == other?.receivedAt && next == other?.next
  }
}

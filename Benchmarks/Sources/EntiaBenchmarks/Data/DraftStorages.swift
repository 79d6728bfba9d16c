import EntiaDatabase

/// A storage of drafts, of which a case removes some.
protocol DraftStorage: NormalizedStorageType {
  init()
  static func insert(_ drafts: ArraySlice<Draft>, _ context: inout BatchContext<Self>)
  static func remove(_ ids: ArraySlice<Draft.EntityID>, _ context: inout BatchContext<Self>)
}

extension Draft {
  fileprivate var authorIDs: [Author.EntityID] { [authorID, editorID] }
}

extension PlainDrafts: DraftStorage {
  static func insert(_ drafts: ArraySlice<Draft>, _ context: inout BatchContext<Self>) {
    context.modifying.drafts.insert(drafts)
  }

  static func remove(_ ids: ArraySlice<Draft.EntityID>, _ context: inout BatchContext<Self>) {
    context.modifying.drafts.remove(ids)
  }
}

extension IndexedDrafts: DraftStorage {
  static func insert(_ drafts: ArraySlice<Draft>, _ context: inout BatchContext<Self>) {
    context.modifying.drafts.insert(drafts)
  }

  static func remove(_ ids: ArraySlice<Draft.EntityID>, _ context: inout BatchContext<Self>) {
    removeIndexedDrafts(&context, ids)
  }
}

/// Drafts with a sorted index.
struct SortedDrafts: DraftStorage {
  struct Contents: StorageContents {
    var authors = Tables.Hash<Author>()
    var drafts = Tables.Hash<Draft>()
    var draftsByViews = Indexes.Sorted<Draft, Int>(\.views)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("authors", \.authors)
      visitor.table("drafts", \.drafts)
      visitor.index("draftsByViews", \.draftsByViews)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())

  static func insert(_ drafts: ArraySlice<Draft>, _ context: inout BatchContext<Self>) {
    context.modifying.drafts.insert(drafts)
  }

  static func remove(_ ids: ArraySlice<Draft.EntityID>, _ context: inout BatchContext<Self>) {
    context.modifying.drafts.remove(ids)
  }
}

/// Drafts with a sorted index of two fields.
struct RankedDrafts: DraftStorage {
  struct Contents: StorageContents {
    var authors = Tables.Hash<Author>()
    var drafts = Tables.Hash<Draft>()
    var draftsByAuthor = Indexes.Sorted(by: \Draft.authorID, .descending(\.views))

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("authors", \.authors)
      visitor.table("drafts", \.drafts)
      visitor.index("draftsByAuthor", \.draftsByAuthor)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())

  static func insert(_ drafts: ArraySlice<Draft>, _ context: inout BatchContext<Self>) {
    context.modifying.drafts.insert(drafts)
  }

  static func remove(_ ids: ArraySlice<Draft.EntityID>, _ context: inout BatchContext<Self>) {
    removeRankedDrafts(&context, ids)
  }
}

/// Drafts with a hash index.
struct HashedDrafts: DraftStorage {
  struct Contents: StorageContents {
    var authors = Tables.Hash<Author>()
    var drafts = Tables.Hash<Draft>()
    var draftsByScore = Indexes.Hash<Draft, Int>(\.score)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("authors", \.authors)
      visitor.table("drafts", \.drafts)
      visitor.index("draftsByScore", \.draftsByScore)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())

  static func insert(_ drafts: ArraySlice<Draft>, _ context: inout BatchContext<Self>) {
    context.modifying.drafts.insert(drafts)
  }

  static func remove(_ ids: ArraySlice<Draft.EntityID>, _ context: inout BatchContext<Self>) {
    context.modifying.drafts.remove(ids)
  }
}

/// Drafts with groups.
struct GroupedDrafts: DraftStorage {
  struct Contents: StorageContents {
    var authors = Tables.Hash<Author>()
    var drafts = Tables.Hash<Draft>()
    var draftsByAuthor = Indexes.GroupBy<Draft, Author.EntityID>(\.authorID)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("authors", \.authors)
      visitor.table("drafts", \.drafts)
      visitor.index("draftsByAuthor", \.draftsByAuthor)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())

  static func insert(_ drafts: ArraySlice<Draft>, _ context: inout BatchContext<Self>) {
    context.modifying.drafts.insert(drafts)
  }

  static func remove(_ ids: ArraySlice<Draft.EntityID>, _ context: inout BatchContext<Self>) {
    context.modifying.drafts.remove(ids)
  }
}

/// Drafts with a unique key.
struct UniqueDrafts: DraftStorage {
  struct Contents: StorageContents {
    var authors = Tables.Hash<Author>()
    var drafts = Tables.Hash<Draft>()
    var draftName = Indexes.Unique<Draft, String>(\.name)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("authors", \.authors)
      visitor.table("drafts", \.drafts)
      visitor.index("draftName", \.draftName)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())

  static func insert(_ drafts: ArraySlice<Draft>, _ context: inout BatchContext<Self>) {
    context.modifying.drafts.insert(drafts)
  }

  static func remove(_ ids: ArraySlice<Draft.EntityID>, _ context: inout BatchContext<Self>) {
    context.modifying.drafts.remove(ids)
  }
}

/// Drafts with a to-one relationship.
struct AuthoredDrafts: DraftStorage {
  struct Contents: StorageContents {
    var authors = Tables.Hash<Author>()
    var drafts = Tables.Hash<Draft>()
    var draftAuthor = ToOne<Draft, Author>(\.authorID, onDelete: .cascade)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("authors", \.authors)
      visitor.table("drafts", \.drafts)
      visitor.relationship("draftAuthor", \.draftAuthor)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())

  static func insert(_ drafts: ArraySlice<Draft>, _ context: inout BatchContext<Self>) {
    context.modifying.drafts.insert(drafts)
  }

  static func remove(_ ids: ArraySlice<Draft.EntityID>, _ context: inout BatchContext<Self>) {
    context.modifying.drafts.remove(ids)
  }
}

/// Drafts with a to-many relationship.
struct EditedDrafts: DraftStorage {
  struct Contents: StorageContents {
    var authors = Tables.Hash<Author>()
    var drafts = Tables.Hash<Draft>()
    var draftAuthors = ToMany<Draft, Author>(\.authorIDs, onDelete: .cascade)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("authors", \.authors)
      visitor.table("drafts", \.drafts)
      visitor.relationship("draftAuthors", \.draftAuthors)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())

  static func insert(_ drafts: ArraySlice<Draft>, _ context: inout BatchContext<Self>) {
    context.modifying.drafts.insert(drafts)
  }

  static func remove(_ ids: ArraySlice<Draft.EntityID>, _ context: inout BatchContext<Self>) {
    context.modifying.drafts.remove(ids)
  }
}

/// Drafts with a list of all their IDs.
struct HeldDrafts: DraftStorage {
  struct Contents: StorageContents {
    var authors = Tables.Hash<Author>()
    var drafts = Tables.Hash<Draft>()
    var held = Indexes.OrderedID<Draft>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("authors", \.authors)
      visitor.table("drafts", \.drafts)
      visitor.index("held", \.held)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())

  static func insert(_ drafts: ArraySlice<Draft>, _ context: inout BatchContext<Self>) {
    context.modifying.drafts.insert(drafts)
    context.modifying.held.append(contentsOf: drafts.map(\.entityID))
  }

  static func remove(_ ids: ArraySlice<Draft.EntityID>, _ context: inout BatchContext<Self>) {
    context.modifying.drafts.remove(ids)
  }
}

/// Drafts with a set of all their IDs.
struct MarkedDrafts: DraftStorage {
  struct Contents: StorageContents {
    var authors = Tables.Hash<Author>()
    var drafts = Tables.Hash<Draft>()
    var marked = Indexes.Set<Draft>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("authors", \.authors)
      visitor.table("drafts", \.drafts)
      visitor.index("marked", \.marked)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())

  static func insert(_ drafts: ArraySlice<Draft>, _ context: inout BatchContext<Self>) {
    context.modifying.drafts.insert(drafts)
    context.modifying.marked.formUnion(drafts.map(\.entityID))
  }

  static func remove(_ ids: ArraySlice<Draft.EntityID>, _ context: inout BatchContext<Self>) {
    context.modifying.drafts.remove(ids)
  }
}

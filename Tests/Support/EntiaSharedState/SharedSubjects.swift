package import EntiaDatabase
package import EntiaLaws
package import EntiaTestDomains

/// A database for histories of several clients: each batch inserts two rows of its own, its
/// tickets, so that a lost, repeated or half batch shows.
package protocol SharedSubject: LawSubject, SendableMetatype where Storage: NormalizedStorageType {
  static func insertTickets(_ name: String, _ context: inout BatchContext<Storage>)
  /// Writes rows that need the rows of an earlier batch of the same client, by its name, if these
  /// exist. Nothing else edits or removes either, and each kind needs them in another way.
  /// - Returns: The rows that were written, by their types and IDs.
  static func writeDependents(
    _ name: String, of earlier: String, kind: Int, _ context: inout BatchContext<Storage>
  ) -> [String: String]
  /// The tickets of a version: the names, each as often as there are rows.
  static func tickets(_ storage: Storage) -> [String]
  /// The rows by their types and IDs, from the rows of change sets alone.
  static func replay(_ changes: StorageChangeSet<Storage>, on rows: inout [String: String])
  static func rows(_ storage: Storage) -> [String: String]
}

extension SharedSubject {
  package static func replay<Entity: EntityType>(
    _ changes: TableChanges<Entity>, on rows: inout [String: String]
  ) {
    for row in changes.removed { rows["\(Entity.self) \(row.entityID.raw)"] = nil }
    for update in changes.updated {
      rows["\(Entity.self) \(update.entityID.raw)"] = "\(update.new)"
    }
    for row in changes.inserted { rows["\(Entity.self) \(row.entityID.raw)"] = "\(row)" }
  }

  /// Describes a row as `rows(_:)` does.
  package static func rows<Entity: EntityType>(with row: Entity) -> [String: String] {
    ["\(Entity.self) \(row.entityID.raw)": "\(row)"]
  }

  package static func list<Entity: EntityType>(
    _ table: some Sequence<Entity>, in rows: inout [String: String]
  ) {
    for row in table { rows["\(Entity.self) \(row.entityID.raw)"] = "\(row)" }
  }
}

/// Hash tables and a relationship with each delete rule.
package enum SharedLibrary: SharedSubject {
  package static func edit(
    _ context: inout BatchContext<Library>, using random: inout SeededGenerator
  ) throws {
    let number = random.number(in: 0..<6)
    let name = "\(random.number(in: 0..<4))"
    let book = Book.EntityID("b\(random.number(in: 0..<6))")
    switch random.number(in: 0..<12) {
    case 0, 1: context.modifying.authors.insert(Author(id: "a\(number)", name: name))
    case 2, 3, 4:
      context.modifying.books.insert(
        Book(
          rawID: "b\(number)", title: name, authorID: "a\(random.number(in: 0..<6))",
          sequelID: random.oneIn(2) ? nil : book))
    case 5: context.modifying.books.updateIfExists(id: "b\(number)") { $0.title = name }
    case 6: context.modifying.books.updateIfExists(id: "b\(number)") { $0.sequelID = book }
    case 7: context.modifying.shelves.insert(Shelf(id: number, bookIDs: [book]))
    case 8: context.modifying.shelves.updateIfExists(id: .init(number)) { $0.bookIDs.append(book) }
    case 9: context.modifying.authors.remove(.init("a\(number)"))
    case 10: context.modifying.books.remove(.init("b\(number)"))
    default:
      if random.oneIn(2) {
        context.modifying.loans.insert(Loan(id: number, bookID: book))
      } else {
        context.modifying.loans.remove(.init(number))
      }
    }
  }

  package static func insertTickets(_ name: String, _ context: inout BatchContext<Library>) {
    context.modifying.authors.insert([
      Author(id: "first \(name)", name: "t\(name)"), Author(id: "second \(name)", name: "t\(name)"),
    ])
    context.modifying.books.insert(
      Book(rawID: "of \(name)", title: name, authorID: .init("first \(name)")))
  }

  package static func writeDependents(
    _ name: String, of earlier: String, kind: Int, _ context: inout BatchContext<Library>
  ) -> [String: String] {
    let (author, book) = (Author.EntityID("first \(earlier)"), Book.EntityID("of \(earlier)"))
    guard let former = context.modifying.books.find(by: book) else { return [:] }
    let number = 1_000 + name.utf8.reduce(0) { ($0 * 31 + Int($1)) % 1_000_000_007 }
    switch kind {
    case 0, 1:
      let new = Book(rawID: "on \(name)", title: name, authorID: author)
      context.modifying.books.insert(new)
      return rows(with: new)
    case 2:
      let new = Book(
        rawID: "on \(name)", title: name, authorID: .init("first \(name)"), sequelID: book)
      context.modifying.books.insert(new)
      return rows(with: new)
    case 3:
      let new = Shelf(id: number, bookIDs: [.init("of \(name)"), book])
      context.modifying.shelves.insert(new)
      return rows(with: new)
    case 4:
      let new = Loan(id: number, bookID: book)
      context.modifying.loans.insert(new)
      return rows(with: new)
    case 5:
      // A reference of a row that the batch inserts to one that needs the earlier batch.
      let new = Book(rawID: "on \(name)", title: name, authorID: author)
      let loan = Loan(id: number, bookID: .init("on \(name)"))
      context.modifying.books.insert(new)
      context.modifying.loans.insert(loan)
      return rows(with: new).merging(rows(with: loan)) { first, _ in first }
    default:
      // Another such batch may be in conflict with this one.
      var new = former
      new.title = name
      context.modifying.books.insert(new)
      return [:]
    }
  }

  package static func tickets(_ storage: Library) -> [String] {
    storage.authors.map(\.name).filter { $0.hasPrefix("t") }
  }

  package static func replay(_ changes: StorageChangeSet<Library>, on rows: inout [String: String])
  {
    replay(changes.authors, on: &rows)
    replay(changes.books, on: &rows)
    replay(changes.shelves, on: &rows)
    replay(changes.loans, on: &rows)
  }

  package static func rows(_ storage: Library) -> [String: String] {
    var rows: [String: String] = [:]
    list(storage.authors, in: &rows)
    list(storage.books, in: &rows)
    list(storage.shelves, in: &rows)
    list(storage.loans, in: &rows)
    return rows
  }
}

/// An ordered table, held IDs, and two unique keys.
package enum SharedFeed: SharedSubject {
  package static func edit(
    _ context: inout BatchContext<Feed>, using random: inout SeededGenerator
  ) throws {
    let number = random.number(in: 0..<6)
    let other = random.number(in: 0..<6)
    switch random.number(in: 0..<12) {
    case 0, 1: context.modifying.users.insert(User(id: number, email: "e\(other)"))
    case 2: context.modifying.users.move(.init(number), to: random.number(in: 0..<3))
    case 3: context.modifying.users.remove(.init(number))
    case 4, 5, 6:
      context.modifying.posts.insert(
        Post(
          id: number, title: "\(other)", year: 1960 + other,
          code: random.oneIn(2) ? nil : "c\(other)", authorID: .init(other)))
    case 7:
      context.modifying.posts.updateIfExists(id: .init(number)) {
        $0.rating = other == 0 ? .nan : $0.rating + 1
      }
    case 8: context.modifying.posts.remove(.init(number))
    case 9: context.modifying.favorites.insert(.init(number), at: 0)
    case 10: context.modifying.favorites.remove(.init(number))
    default: context.modifying.unread.insert(.init(number))
    }
  }

  package static func insertTickets(_ name: String, _ context: inout BatchContext<Feed>) {
    let id = firstTicket(name)
    context.modifying.users.insert([
      User(id: id, email: "t\(name) first"), User(id: id + 1, email: "t\(name) second"),
    ])
  }

  package static func writeDependents(
    _ name: String, of earlier: String, kind: Int, _ context: inout BatchContext<Feed>
  ) -> [String: String] {
    let user = User.EntityID(firstTicket(earlier))
    guard context.modifying.users.find(by: user) != nil else { return [:] }
    let post = Post(id: firstTicket(name), title: name, year: 1_900, authorID: user)
    context.modifying.posts.insert(post)
    if kind < 4 { context.modifying.unread.insert(post.entityID) }
    return rows(with: post)
  }

  /// The ID of the first ticket of a batch.
  private static func firstTicket(_ name: String) -> Int {
    1_000 + 2 * (name.split(separator: "-").reduce(0) { $0 * 1_000 + (Int($1) ?? 0) })
  }

  package static func tickets(_ storage: Feed) -> [String] {
    storage.snapshot.contents.users.map(\.email).filter { $0.hasPrefix("t") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
  }

  package static func replay(_ changes: StorageChangeSet<Feed>, on rows: inout [String: String]) {
    replay(changes.posts, on: &rows)
    replay(changes.users, on: &rows)
  }

  package static func rows(_ storage: Feed) -> [String: String] {
    var rows: [String: String] = [:]
    list(storage.posts, in: &rows)
    list(storage.snapshot.contents.users, in: &rows)
    return rows
  }
}

/// Unique keys, required references, and checks of rows and of whole batches.
package enum SharedShop: SharedSubject {
  package static func edit(
    _ context: inout BatchContext<Shop>, using random: inout SeededGenerator
  ) throws {
    let number = random.number(in: 0..<6)
    let other = random.number(in: 0..<6)
    switch random.number(in: 0..<10) {
    case 0, 1:
      context.modifying.customers.updateIfExists(id: .init(number)) { $0.email = "\(other)" }
    case 2: context.modifying.customers.updateIfExists(id: .init(number)) { $0.phone = "\(other)" }
    case 3: context.modifying.customers.remove(.init(number))
    case 4, 5, 6:
      context.modifying.orders.insert(
        Order(id: number, amount: other, customerID: .init(other), giftForIDs: [.init(number)]))
    case 7: context.modifying.orders.remove(.init(number))
    case 8: context.modifying.parcels.insert(Parcel(id: number, orderID: .init(other)))
    default: context.modifying.parcels.remove(.init(number))
    }
  }

  package static func makeStorage() -> Shop {
    var shop = Shop()
    for id in 0..<6 {
      do {
        try shop.performBatchUpdates { context in
          context.modifying.customers.insert(Customer(id: id, email: "\(id)"))
        }
      } catch {
        preconditionFailure("the customers have different keys: \(error)")
      }
    }
    return shop
  }

  package static func insertTickets(_ name: String, _ context: inout BatchContext<Shop>) {
    let id = firstTicket(name)
    context.modifying.customers.insert([
      Customer(id: id, email: "t\(name) first", name: "t\(name)"),
      Customer(id: id + 1, email: "t\(name) second", name: "t\(name)"),
    ])
  }

  package static func writeDependents(
    _ name: String, of earlier: String, kind: Int, _ context: inout BatchContext<Shop>
  ) -> [String: String] {
    let former = Customer.EntityID(firstTicket(earlier))
    let own = Customer.EntityID(firstTicket(name))
    guard context.modifying.customers.find(by: former) != nil else { return [:] }
    // Both references are required. One rule keeps references dangling, and the other removes them.
    let order = Order(
      id: firstTicket(name), amount: 1, customerID: kind < 4 ? former : own, giftForIDs: [former])
    context.modifying.orders.insert(order)
    return rows(with: order)
  }

  /// The ID of the first ticket of a batch.
  private static func firstTicket(_ name: String) -> Int {
    1_000 + 2 * (name.split(separator: "-").reduce(0) { $0 * 1_000 + (Int($1) ?? 0) })
  }

  package static func tickets(_ storage: Shop) -> [String] {
    storage.customers.map(\.name).filter { $0.hasPrefix("t") }
  }

  package static func replay(_ changes: StorageChangeSet<Shop>, on rows: inout [String: String]) {
    replay(changes.customers, on: &rows)
    replay(changes.orders, on: &rows)
    replay(changes.parcels, on: &rows)
  }

  package static func rows(_ storage: Shop) -> [String: String] {
    var rows: [String: String] = [:]
    list(storage.customers, in: &rows)
    list(storage.orders, in: &rows)
    list(storage.snapshot.contents.parcels, in: &rows)
    return rows
  }
}

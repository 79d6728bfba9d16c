import Entia
import EntiaLaws

/// One write of a wall, as numbers, so that a history can be printed and repeated.
struct WallEdit: Sendable, CustomStringConvertible {
  var kind: Int
  var a: Int
  var b: Int
  var c: Int
  /// Whether the second database of the state is edited.
  var isOnSide: Bool
  var step: Int

  /// The kinds of edits. Insertions are listed more often than removals, so that walls stay full.
  private static let kinds =
    [0, 0, 1, 2, 3, 3, 4, 5, 5, 5, 6, 6, 7, 8, 9, 10, 12, 12, 12, 13, 13, 14, 15]
    + [16, 16, 17, 18, 19, 20, 21]

  init(_ random: inout SeededGenerator, step: Int) {
    kind = Self.kinds[random.number(in: 0..<Self.kinds.count)]
    a = random.number(in: 0..<5)
    b = random.number(in: 0..<5)
    c = random.number(in: 0..<5)
    isOnSide = random.number(in: 0..<4) == 0
    self.step = step
  }

  var description: String { "\(isOnSide ? "side " : "")\(kind)(\(a), \(b), \(c))" }

  func apply(to state: inout Wall.State) throws {
    if isOnSide { try apply(to: &state.side) } else { try apply(to: &state.wall) }
  }

  func apply(to wall: inout Wall.Storage) throws {
    try wall.performBatchUpdates { context in
      switch kind {
      case ..<5: editUsersAndTags(context.modifying)
      case ..<12: editPosts(context.modifying)
      case ..<16: editComments(context.modifying)
      default: editHeldIDsAndOrder(context.modifying)
      }
    }
  }

  private func editUsersAndTags(_ tables: BatchTables<Wall.Storage>) {
    var tables = tables
    switch kind {
    case 0: tables.users.insert(Wall.User(id: a, email: "e\(b)", level: c))
    case 1: tables.users.remove(Wall.User.EntityID(a))
    case 2: tables.users[Wall.User.EntityID(a)]?.level = b
    case 3:
      let owner = Wall.Post.EntityID(b)
      let ownerID = tables.posts.contains(owner) ? owner : nil
      tables.tags.insert(Wall.Tag(id: a % 3, name: "n\(c)", ownerID: ownerID))
    default: tables.tags.remove(Wall.Tag.EntityID(a % 3))
    }
  }

  private func editPosts(_ tables: BatchTables<Wall.Storage>) {
    var tables = tables
    let id = Wall.Post.EntityID(a)
    let (author, editor) = (Wall.User.EntityID(b), Wall.User.EntityID(c))
    switch kind {
    case 5, 6:
      guard tables.users.contains(author) else { return }
      let post = Wall.Post(
        id: a, title: "t\(c) w\(b)", year: c, code: b == 0 ? "c\(c)" : nil, authorID: author,
        editorID: tables.users.contains(editor) ? editor : nil)
      if kind == 5 {
        tables.posts.insert(post)
      } else {
        tables.posts.insert(post, receivedAt: Wall.time(step))
      }
    case 7: tables.posts[id]?.title = "t\(b) w\(c)"
    case 8: tables.posts[id]?.year = b
    case 9: if tables.users.contains(author) { tables.posts[id]?.authorID = author }
    default: tables.posts.remove(id)
    }
  }

  private func editComments(_ tables: BatchTables<Wall.Storage>) {
    var tables = tables
    let id = Wall.Comment.EntityID(a)
    let (post, author) = (Wall.Post.EntityID(b), Wall.User.EntityID(c))
    switch kind {
    case 12, 13:
      guard tables.posts.contains(post) else { return }
      let tags = Set([a % 3, b % 3]).sorted().map { Wall.Tag.EntityID($0) }
      let comment = Wall.Comment(
        id: a, text: "x\(c)", postID: post,
        authorID: tables.users.contains(author) ? author : nil,
        tagIDs: tags.filter { tables.tags.contains($0) })
      tables.comments.insert(comment, at: min(c, tables.comments.count))
    case 14: tables.comments[id]?.text = "y\(b)"
    default: tables.comments.remove(id)
    }
  }

  private func editHeldIDsAndOrder(_ tables: BatchTables<Wall.Storage>) {
    var tables = tables
    let id = Wall.Post.EntityID(a)
    let exists = tables.posts.contains(id)
    switch kind {
    case 16: if exists { tables.favorites.append(id) }
    case 17: tables.favorites.remove(id)
    case 18: if exists { tables.unread.insert(id) }
    case 19: tables.users[Wall.User.EntityID(a)]?.isOpen.toggle()
    case 20:
      tables.comments.move(
        Wall.Comment.EntityID(a), to: min(b, max(0, tables.comments.count - 1)))
    default:
      tables.users.move(Wall.User.EntityID(a), to: min(b, max(0, tables.users.count - 1)))
    }
  }
}

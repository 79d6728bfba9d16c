/// A server with a list of stories, as JSON in pages. A story is added with each request of the
/// first page.
struct SimulatedServer {
  /// A page of stories, and the cursor of the next one.
  struct Page {
    let json: String
    let next: String?
  }

  private var newest = 30
  private(set) var requests = 0
  let pageSize = 4

  mutating func page(after cursor: String?) -> Page {
    requests += 1
    if cursor == nil { newest += 1 }
    let first = cursor.flatMap { Int($0) } ?? newest
    let ids = (max(1, first - pageSize + 1)...first).reversed()
    let stories = ids.map { id in
      """
      {"id": \(id), "title": "Story \(id)", "author": {"id": \(id % 3), "name": "Author \(id % 3)"}}
      """
    }
    let next = first - pageSize
    return Page(
      json: "[\(stories.joined(separator: ", "))]", next: next > 0 ? String(next) : nil)
  }
}

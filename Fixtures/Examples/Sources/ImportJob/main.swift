import Entia
import EntiaJSON
import Foundation

guard CommandLine.arguments.count > 1 else {
  print("usage: ImportJob FILE…    each a response {\"results\": [post, …]}")
  exit(64)
}

let sources = try CommandLine.arguments.dropFirst().map { path in
  let file = URL(filePath: path)
  return ImportSource(name: file.lastPathComponent, bytes: Array(try Data(contentsOf: file)))
}

// All files are one batch. A response without a body keeps the body of another one.
let result = Importer.importing(
  sources, of: Post.self, into: Blog(), merging: .fillingMissing(\.body),
  options: TypedImportOptions(at: JSONPath("$.results")))

print(result.report.text(), terminator: "")
for problem in result.report.problems { print(problem) }
guard let blog = result.database else { exit(65) }

for post in blog.views(of: blog.posts.map(\.entityID)) {
  print("\(post.title), by \(post[\.postAuthor]?.name ?? "unknown"): \(post.body ?? "no text yet")")
  for comment in post[\.postComments] {
    print("  \(comment[\.commentAuthor]?.name ?? "unknown"): \(comment.text)")
  }
}

import EntiaJSON
import EntiaRecords

/// `entia generate`: generates a blog of any size as sample data.
enum GenerateCommand: Command {
  static let description = CommandDescription(
    name: "generate",
    summary: "Generate a blog of any size as sample data",
    discussion: [
      """
      Writes authors, posts and comments as JSON: the same bytes for the same counts and seed, on \
      every machine. It is written in pieces, so that it may be larger than the memory. Every author has written something, and every comment belongs to one post.
      """,
      """
      nested and ndjson import with a schema (Fixtures/blog/schema.json) and --root posts; tables \
      is a database as import writes it. All formats hold the same rows.
      """,
    ],
    options: [
      OptionDescription("--authors", .count("N"), isRequired: true, help: "The number of authors."),
      OptionDescription("--posts", .count("N"), isRequired: true, help: "The number of posts."),
      OptionDescription(
        "--comments", .count("N"), isRequired: true,
        help: "The number of comments of all posts together."),
      OptionDescription(
        "--seed", .count("S"), isRequired: true, help: "The seed of the random contents."),
      OptionDescription(
        "--format", .choice(GeneratedBlog.Format.allCases.map(\.rawValue)),
        help: "The shape; default nested."),
      .output("OUT.json"),
    ])

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    let blog: GeneratedBlog
    do {
      blog = try GeneratedBlog(
        authors: arguments.count("--authors") ?? 0, posts: arguments.count("--posts") ?? 0,
        comments: arguments.count("--comments") ?? 0,
        seed: UInt64(arguments.count("--seed") ?? 0))
    } catch {
      throw CommandFailure(.usage, [error.description], showsUsage: true)
    }
    let format: GeneratedBlog.Format = arguments.choice("--format") ?? .nested
    try arguments.output.write(showing: console) { (put) throws(SystemCalls.Failure) in
      try blog.write(as: format, to: put)
    }
    return .success
  }
}

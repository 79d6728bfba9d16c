#if canImport(CPostgreSQL)
  import EntiaDatabase
  import Foundation

  /// The contestant: the least that keeps posts in a server, their version and what led to it. A
  /// transaction of three statements on three tables, without Entia's checks.
  final class BareSpace {
    private let connection: BareConnection
    private let space = UUID().uuidString
    private let client = UUID().uuidString
    private var version = 0

    init(_ server: BenchmarkServer, _ posts: [Post]) throws {
      connection = try BareConnection(server.string)
      try connection.run(
        """
        SET client_min_messages = error;
        SELECT pg_advisory_lock(1);
        CREATE TABLE IF NOT EXISTS bare_space (space text PRIMARY KEY, version bigint NOT NULL);
        CREATE TABLE IF NOT EXISTS bare_log (
          space text, version bigint, client uuid, changes jsonb, PRIMARY KEY (space, version));
        CREATE TABLE IF NOT EXISTS bare_row (
          space text, id bigint, version bigint, body jsonb, PRIMARY KEY (space, id));
        INSERT INTO bare_space VALUES ('\(space)', 0);
        SELECT pg_advisory_unlock(1)
        """)
      try connection.prepare(
        "space",
        "UPDATE bare_space SET version = version + 1 WHERE space = $1 AND version = $2::bigint")
      try connection.prepare(
        "log", "INSERT INTO bare_log VALUES ($1, $2::bigint, $3::uuid, $4::jsonb)")
      try connection.prepare(
        "row",
        """
        UPDATE bare_row SET version = $2::bigint, body = $4::jsonb
        WHERE space = $1 AND id = $3::bigint
        """)
      try connection.prepare(
        "insert", "INSERT INTO bare_row VALUES ($1, $2::bigint, 0, $3::jsonb)")
      try connection.run("BEGIN")
      for post in posts {
        try connection.run(prepared: "insert", [space, "\(post.id)", Self.body(post)])
      }
      try connection.run("COMMIT")
    }

    private static func body(_ post: Post) -> String {
      """
      {"id": \(post.id), "name": "\(post.name)", "authorID": \(post.authorID.raw), \
      "views": \(post.views), "score": \(post.score)}
      """
    }

    private func statements(_ post: Post) -> [(name: String, values: [String])] {
      let body = Self.body(post)
      let old = version
      version += 1
      return [
        ("space", [space, "\(old)"]),
        ("log", [space, "\(version)", client, #"[["update", "posts", \#(body)]]"#]),
        ("row", [space, "\(version)", "\(post.id)", body]),
      ]
    }

    /// Writes a post, statement by statement.
    func write(_ post: Post) throws {
      try connection.run("BEGIN")
      for (name, values) in statements(post) { try connection.run(prepared: name, values) }
      try connection.run("COMMIT")
    }

    /// Writes a post in one round trip.
    func writeAtOnce(_ post: Post) throws { try connection.pipeline(statements(post)) }
  }
#endif

/// The tables in the server.
///
/// Each is keyed by the space first, so that rows of one space are together.
enum ServerSchema {
  /// The version of the tables. A change that older clients cannot use raises it.
  static let version: Int64 = 1

  /// The statements that create the tables; each can run again without effect.
  static let statements = [
    locking,
    """
    CREATE TABLE IF NOT EXISTS entia_install (
      version bigint PRIMARY KEY,
      at timestamptz NOT NULL DEFAULT now())
    """,
    """
    CREATE TABLE IF NOT EXISTS entia_space (
      space text COLLATE "C" PRIMARY KEY,
      version bigint NOT NULL DEFAULT 0,
      first_logged bigint NOT NULL DEFAULT 1,
      schema_version bigint NOT NULL,
      schema_fingerprint text NOT NULL)
    """,
    """
    CREATE TABLE IF NOT EXISTS entia_row (
      space text COLLATE "C" NOT NULL,
      entity text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      version bigint NOT NULL,
      position numeric NOT NULL,
      body jsonb NOT NULL,
      PRIMARY KEY (space, entity, id))
    """,
    """
    CREATE TABLE IF NOT EXISTS entia_log (
      space text COLLATE "C" NOT NULL,
      version bigint NOT NULL,
      part int NOT NULL,
      client uuid NOT NULL,
      mutation bigint NOT NULL,
      changes jsonb,
      at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (space, version, part),
      UNIQUE (space, client, mutation, part))
    """,
    "INSERT INTO entia_install (version) VALUES (\(version)) ON CONFLICT DO NOTHING",
  ]

  /// The statement that waits for other installations, which would fail at the names.
  static let locking = "SELECT pg_advisory_xact_lock(\(lock))"

  /// A number of our own: locks of other programs have others.
  private static let lock = 7_311_209_451

  /// The statements as a script for `psql`.
  static var script: String {
    (["BEGIN"] + statements + ["COMMIT"]).map { "\($0);\n" }.joined(separator: "\n")
  }
}

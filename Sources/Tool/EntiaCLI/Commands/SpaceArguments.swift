#if ENTIA_POSTGRESQL
  import EntiaPostgreSQL
#endif

/// The arguments of the commands that use a PostgreSQL server.
enum SpaceArguments {
  static let to = OptionDescription(
    "--to", .text("CONNECTION"), isRequired: true,
    help: "The server and the database: a connection string of libpq, such as "
      + "'postgresql://user@host/app'.")
  static let from = OptionDescription(
    "--from", .text("CONNECTION"), isRequired: true, help: to.help)
  static let space = OptionDescription(
    "--space", .text("NAME"), isRequired: true,
    help: "The space: one database of those on the server.")

  /// The paragraph about connection strings in the description of a command.
  static let note = """
    CONNECTION is a URI or pairs of keywords and values, as psql takes it. What it leaves out is taken \
    from the environment (PGHOST, PGUSER, …), and a password from ~/.pgpass or the file that \
    PGPASSFILE names. An argument is no place for a password: the list of processes shows it.
    """

  /// The failure of a tool that was built without libpq.
  static let unavailable = CommandFailure(
    .unavailable,
    "this entia was built without PostgreSQL; install libpq-dev (libpq-devel on Fedora) and build it "
      + "again")
}

#if ENTIA_POSTGRESQL
  extension SpaceArguments {
    /// Returns the connection string of an option, and warns when it contains a password.
    static func connection(
      _ option: OptionDescription, _ arguments: ParsedArguments, console: Console
    ) -> String {
      let connection = arguments.value(option.name) ?? ""
      if ConnectionString.hasPassword(connection) {
        console.complain([
          "warning: \(option.name) contains a password, which other users see in the list of "
            + "processes; keep it in ~/.pgpass, or in a file that PGPASSFILE names"
        ])
      }
      return connection
    }
  }

  extension CommandFailure {
    /// Creates the failure for an error of a space, with advice.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - option: The option with the connection string.
    init(_ error: any Error, of option: OptionDescription) {
      guard let error = error as? SharedDatabaseError else {
        self.init(.badData, "\(error)")
        return
      }
      let name = option.name
      switch error {
      case .disconnected(_, let reason):
        self.init(
          .unavailable,
          [
            "the server cannot be reached: \(reason)",
            "  start it, or name another one: \(name) takes host=, port=, user= and dbname=",
          ])
      case .timedOut, .unavailable:
        self.init(.unavailable, ["\(error)", "  try again later"])
      case .cannotConnect(let reason):
        self.init(.unavailable, [error.description] + Self.advice(on: reason, name))
      case .notInstalled(let reason):
        self.init(
          .unavailable,
          [
            "the database does not have Entia's tables (\(reason))",
            "  create them once, as a role that may: 'entia share install --to CONNECTION'",
          ])
      case .isNewer: self.init(.unavailable, ["\(error)", "  use the newer entia"])
      case .noRights:
        self.init(
          .unavailable,
          [
            "\(error)",
            "  the owner of the tables grants it; the documentation of SharedDatabase lists the rights",
          ])
      case .spaceNotFound(let space):
        self.init(
          .noInput, "space '\(space)' does not exist, or the role may neither see nor create it")
      default: self.init(.badData, "\(error)")
      }
    }

    private static func advice(on reason: String, _ option: String) -> [String] {
      if reason.contains("SQLSTATE 3D000") {
        return ["  create the database with 'createdb NAME', or name another one with dbname="]
      }
      if reason.contains("SQLSTATE 28") {
        return [
          "  name a role with user=, or create it with 'createuser NAME'; a password belongs into "
            + "~/.pgpass or the file that PGPASSFILE names"
        ]
      }
      return ["  \(option) takes 'postgresql://user@host/app' or 'host=… user=… dbname=…'"]
    }
  }
#endif

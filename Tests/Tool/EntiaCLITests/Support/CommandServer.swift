#if ENTIA_POSTGRESQL
  import EntiaLocalServer
  import Foundation

  extension LocalServer {
    /// Creates a database without tables.
    /// - Returns: The connection string.
    func makeEmptyDatabase() throws -> String {
      let name = "cli_\(UUID().uuidString.prefix(8).lowercased())"
      try query("CREATE DATABASE \(name)")
      return string(database: name)
    }
  }
#endif

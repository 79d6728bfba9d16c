#if canImport(CPostgreSQL)
  import Foundation

  /// A PostgreSQL server with its default durability: in a temporary folder, on a Unix socket, by
  /// an unprivileged user.
  ///
  /// A shell starts it, and stops it by its ID when its standard input ends, which is also the case
  /// when the program crashes.
  final class BenchmarkServer: Sendable {
    /// The folder of the server's programs, or `nil` where PostgreSQL is not installed.
    static let programs: String? = {
      let manager = FileManager.default
      let root = "/usr/lib/postgresql"
      let versions = manager.subpaths(atPath: root)?.filter { $0.hasSuffix("/bin") } ?? []
      let folders =
        versions.sorted { $0.compare($1, options: .numeric) == .orderedDescending }
        .map { "\(root)/\($0)" } + ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
      return folders.first { manager.isExecutableFile(atPath: "\($0)/initdb") }
    }()

    /// The server of all cases, which ends with the program.
    static let shared = Result { try BenchmarkServer() }

    private let folder: String
    private let input = Pipe()

    /// The connection string.
    var string: String { "host=\(folder) user=entia dbname=postgres" }

    private init() throws {
      guard let programs = Self.programs else {
        throw ServerFailure("PostgreSQL is not installed: there is no initdb")
      }
      folder = "/tmp/entia-benchmarks-\(UUID().uuidString.prefix(8))"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      if getuid() == 0 {
        try FileManager.default.setAttributes(
          [.ownerAccountName: "postgres"], ofItemAtPath: folder)
      }
      let script = """
        cd '\(folder)'
        '\(programs)/initdb' -D data -U entia -A trust -E UTF8 --locale=C --no-sync >initdb.log 2>&1
        '\(programs)/postgres' -D data -c listen_addresses= -c unix_socket_directories='\(folder)' \
        -c max_connections=400 </dev/null >log 2>&1 &
        server=$!
        read -r line
        kill -QUIT $server
        sleep 1
        rm -rf '\(folder)'
        """
      let user = ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
      let arguments = (getuid() == 0 ? user : []) + ["/bin/sh", "-c", script]
      let process = Process()
      process.executableURL = URL(fileURLWithPath: arguments[0])
      process.arguments = Array(arguments.dropFirst())
      process.currentDirectoryURL = URL(fileURLWithPath: folder)
      _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
      process.standardInput = input
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      try waitUntilItAnswers()
    }

    private func waitUntilItAnswers() throws {
      for _ in 0..<600 {
        do {
          _ = try BareConnection(string)
          return
        } catch {
          usleep(50_000)
        }
      }
      throw ServerFailure("the server in \(folder) does not start: see its log")
    }
  }

  /// The error of a server or a statement.
  struct ServerFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
#endif

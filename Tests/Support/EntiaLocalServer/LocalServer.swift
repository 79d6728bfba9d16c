import Foundation

/// A PostgreSQL server of the tests: in a temporary folder, on a Unix socket, by an unprivileged
/// user.
///
/// A shell starts it and stops it by its ID when its standard input ends, which is also the case
/// when the tests crash.
package final class LocalServer: @unchecked Sendable {
  // Unchecked because of the process and its input, which only `init` and the test that stops and
  // starts a server of its own change.

  /// The folder of the server's programs, or `nil` where PostgreSQL is not installed.
  package static let programs: String? = {
    let manager = FileManager.default
    let root = "/usr/lib/postgresql"
    let versions = (try? manager.contentsOfDirectory(atPath: root)) ?? []
    let folders =
      versions.sorted { $0.compare($1, options: .numeric) == .orderedDescending }
      .map { "\(root)/\($0)/bin" }
      + ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/usr/local/opt/postgresql/bin"]
    return folders.first { manager.isExecutableFile(atPath: "\($0)/initdb") }
  }()

  package static let isInstalled = programs != nil
  package static let missing = "PostgreSQL is not installed: there is no initdb"

  /// The server that most tests share.
  package static func shared() async throws -> LocalServer { try await common.value }

  private static let common = Task { try await LocalServer() }

  package struct Failed: Error {
    package let reason: String
  }

  package let folder: String
  private let isRoot = getuid() == 0
  private let options: [String]
  private var process: Process?
  private var input: Pipe?

  /// The port of the socket, which is also that of encrypted connections.
  private let port: Int

  /// The program that makes certificates, or `nil` where it is not installed.
  package static let openSSL = ["/usr/bin/openssl", "/usr/local/bin/openssl"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// The path of the certificate of an encrypted server, which signed itself.
  package var certificate: String { "\(folder)/server.crt" }
  /// The path of a certificate that signed nothing of the server.
  package var otherCertificate: String { "\(folder)/other.crt" }

  /// Creates a server and starts it.
  /// - Parameters:
  ///   - isDurable: Whether its commits survive a crash of the machine.
  ///   - isEncrypted: Whether it also listens on localhost, for encrypted connections.
  package init(isDurable: Bool = false, isEncrypted: Bool = false) async throws {
    guard let programs = Self.programs else { throw Failed(reason: Self.missing) }
    folder = "/tmp/entia-pg-\(UUID().uuidString.prefix(8))"
    port = isEncrypted ? Int.random(in: 20_000..<60_000) : 5_432
    let encryption =
      isEncrypted
      ? ["ssl=on", "ssl_cert_file=\(folder)/server.crt", "ssl_key_file=\(folder)/server.key"] : []
    options =
      ["listen_addresses=\(isEncrypted ? "localhost" : "")", "port=\(port)"]
      + encryption + ["unix_socket_directories=\(folder)", "max_connections=300"]
      + ["shared_buffers=32MB", "fsync=\(isDurable ? "on" : "off")", "max_prepared_transactions=2"]
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    if isRoot {
      try FileManager.default.setAttributes(
        [.ownerAccountName: "postgres"], ofItemAtPath: folder)
    }
    try run(
      ["\(programs)/initdb", "-D", "\(folder)/data", "-U", "entia", "-A", "trust", "-E", "UTF8"]
        + ["--locale=C", "--no-sync"], output: "\(folder)/initdb.log")
    if isEncrypted {
      for name in ["server", "other"] { try makeCertificate(name) }
    }
    try await start()
  }

  deinit {
    if let input {
      // The shell stops the server and removes the folder, even if the tests end before.
      try? input.fileHandleForWriting.close()
    } else {
      try? FileManager.default.removeItem(atPath: folder)
    }
  }

  /// Returns a connection string.
  package func string(user: String = "entia", database: String = "postgres") -> String {
    "host=\(folder) port=\(port) user=\(user) dbname=\(database)"
  }

  /// Returns the connection string of an encrypted connection.
  /// - Parameters:
  ///   - mode: libpq's `sslmode`.
  ///   - root: The path of the certificate to verify with.
  package func encryptedString(
    mode: String, root: String? = nil, database: String = "postgres"
  ) -> String {
    "host=localhost port=\(port) user=entia dbname=\(database) sslmode=\(mode)"
      + (root.map { " sslrootcert=\($0)" } ?? "")
  }

  private func makeCertificate(_ name: String) throws {
    guard let openSSL = Self.openSSL else { throw Failed(reason: "there is no openssl") }
    try run(
      [openSSL, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
        + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
        + ["-keyout", "\(folder)/\(name).key", "-out", "\(folder)/\(name).crt"],
      output: "\(folder)/openssl.log")
  }

  /// Returns an arguments list that runs as an unprivileged user.
  private func unprivileged(_ arguments: [String]) -> [String] {
    if !isRoot { return arguments }
    return ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
      + arguments
  }

  private func run(_ arguments: [String], output path: String) throws {
    let arguments = unprivileged(arguments)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: arguments[0])
    process.arguments = Array(arguments.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    // A pipe would end only when the servers that inherit it do.
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let output = FileHandle(forWritingAtPath: path)
    else { throw Failed(reason: "\(path) cannot be written") }
    process.standardOutput = output
    process.standardError = output
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failed(reason: try String(contentsOfFile: path, encoding: .utf8))
    }
  }

  /// Starts the server and waits until it answers.
  package func start() async throws {
    let settings = options.map { "-c '\($0)'" }.joined(separator: " ")
    let script = """
      '\(Self.programs ?? "")/postgres' -D '\(folder)/data' \(settings) \
      </dev/null >'\(folder)/log' 2>&1 &
      server=$!
      read -r signal
      kill -"${signal:-QUIT}" $server
      if [ -z "$signal" ]; then sleep 1; rm -rf '\(folder)'; fi
      """
    let arguments = unprivileged(["/bin/sh", "-c", script])
    let process = Process()
    process.executableURL = URL(fileURLWithPath: arguments[0])
    process.arguments = Array(arguments.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    let input = Pipe()
    // Other servers must not hold the input open after the tests.
    _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
    self.input = input
    let end = Date.now.addingTimeInterval(20)
    while true {
      do {
        try query("SELECT 1")
        return
      } catch {
        guard Date.now < end else { throw Failed(reason: "the server does not start: \(error)") }
        try await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  /// Stops the server and waits for its end.
  /// - Parameter signal: `INT` ends its connections; `QUIT` crashes it.
  package func stop(signal: String = "INT") {
    guard let process, let input else { return }
    try? input.fileHandleForWriting.write(contentsOf: Data("\(signal)\n".utf8))
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    // The shell does not wait for the server: it may have inherited a mask that blocks the signal
    // of the server's end.
    let end = Date.now.addingTimeInterval(20)
    while FileManager.default.fileExists(atPath: "\(folder)/data/postmaster.pid"), Date.now < end {
      usleep(20_000)
    }
    self.process = nil
    self.input = nil
  }

  /// Runs statements with `psql`, each on its own.
  /// - Parameters:
  ///   - statements: The statements.
  ///   - database: The name of the database.
  /// - Returns: The rows as text, a line each.
  @discardableResult
  package func query(
    _ statements: String..., database: String = "postgres"
  ) throws -> String {
    let output = "\(folder)/psql-\(UUID().uuidString.prefix(8))"
    defer { try? FileManager.default.removeItem(atPath: output) }
    try run(
      ["\(Self.programs ?? "")/psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
        + ["-d", string(database: database)] + statements.flatMap { ["-c", $0] },
      output: output)
    return try String(contentsOfFile: output, encoding: .utf8)
  }
}

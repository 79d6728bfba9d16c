import EntiaPostgreSQL
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
guard let connection = arguments.first else {
  print(
    """
    usage: SharedTasks CONNECTION

    CONNECTION is a connection string of libpq. Without a server, start one:
      docker run --rm -e POSTGRES_PASSWORD=example -p 5432:5432 postgres
      SharedTasks postgresql://postgres:example@localhost/postgres
    """)
  exit(64)
}

do {
  if arguments.dropFirst().first == "second" {
    let worker = try await Worker("second", connecting: connection)
    try await worker.work()
    print(worker.report)
    await worker.close()
  } else {
    // The first process creates the tables and the jobs, and starts the second one.
    try await SharedDatabase<Board>.install(connecting: connection)
    let worker = try await Worker("first", connecting: connection)
    try await worker.reset(to: 40)
    let program = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
    let second = try Process.run(program, arguments: [connection, "second"])
    try await worker.work()
    second.waitUntilExit()
    print(worker.report)
    await worker.close()
  }
} catch {
  print(error)
  exit(69)
}

#if canImport(CPostgreSQL)
  import CPostgreSQL
  import Foundation

  /// The contestant: a connection with prepared statements that are written by hand.
  final class BareConnection {
    private let handle: OpaquePointer

    init(_ string: String) throws {
      guard let handle = PQconnectdb(string), PQstatus(handle) == CONNECTION_OK else {
        throw ServerFailure("no connection")
      }
      self.handle = handle
    }

    deinit { PQfinish(handle) }

    /// Runs a statement, and returns the first column of its rows.
    @discardableResult
    func run(_ sql: String) throws -> [String] { try check(PQexec(handle, sql)) }

    func prepare(_ name: String, _ sql: String) throws {
      try check(PQprepare(handle, name, sql, 0, nil))
    }

    /// Runs a prepared statement, and returns the first column of its rows.
    @discardableResult
    func run(prepared name: String, _ values: [String]) throws -> [String] {
      try check(
        withValues(values) { PQexecPrepared(handle, name, Int32(values.count), $0, nil, nil, 0) })
    }

    /// Runs prepared statements in one transaction and one round trip.
    func pipeline(_ statements: [(name: String, values: [String])]) throws {
      guard PQenterPipelineMode(handle) == 1 else { throw failure }
      for (name, values) in statements {
        let isSent = withValues(values) {
          PQsendQueryPrepared(handle, name, Int32(values.count), $0, nil, nil, 0)
        }
        guard isSent == 1 else { throw failure }
      }
      guard PQpipelineSync(handle) == 1 else { throw failure }
      for _ in statements {
        try check(PQgetResult(handle))
        PQclear(PQgetResult(handle))
      }
      PQclear(PQgetResult(handle))
      guard PQexitPipelineMode(handle) == 1 else { throw failure }
    }

    private func withValues<Result>(
      _ values: [String], _ body: ([UnsafePointer<CChar>?]) -> Result
    ) -> Result {
      let copies = values.map { strdup($0) }
      defer { for copy in copies { free(copy) } }
      return body(copies.map { UnsafePointer($0) })
    }

    private var failure: ServerFailure {
      ServerFailure(PQerrorMessage(handle).map { String(cString: $0) } ?? "no message")
    }

    @discardableResult
    private func check(_ result: OpaquePointer?) throws -> [String] {
      defer { PQclear(result) }
      switch PQresultStatus(result) {
      case PGRES_COMMAND_OK: return []
      case PGRES_TUPLES_OK:
        return (0..<PQntuples(result)).map { String(cString: PQgetvalue(result, $0, 0)) }
      default: throw failure
      }
    }
  }
#endif

package import EntiaCoding

/// A problem of an import, with its position.
public struct ImportProblem: Hashable, Sendable {
  /// Whether a problem stops the import.
  public enum Severity: String, Hashable, Sendable {
    /// Nothing is imported.
    case error
    /// The import continues.
    case warning
  }

  /// The kind of a problem.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A record has no ID, or an ID that is not a number or a string.
    case missingID
    /// A row occurs twice with different content.
    case conflict
    /// A relationship refers to a row that does not exist.
    case danglingReference
    /// A value has a form or type that is not allowed at its position.
    case typeMismatch
    /// An object has two members of the same name.
    case duplicateKey
    /// The bytes are not valid JSON.
    case malformedJSON
    /// The text is not valid CSV.
    case malformedCSV
    /// The system failed to read the bytes.
    case unreadable
    /// A name is not an entity of the schema.
    case unknownEntity
    /// A schema violates its own rules.
    case invalidSchema
    /// Two schemas contradict each other.
    case schemaConflict
    /// A database violates its own rules.
    case inconsistency
    /// The request is invalid: the format is not recognized, or requires a schema and a root.
    case usage
  }

  /// A kind, and whether its problems stop the import.
  struct RankedKind: Hashable {
    let severity: Severity
    let kind: Kind
  }

  /// The common cause of problems that are listed together.
  package struct Cause: Hashable, Sendable {
    /// The entity of the records; nil if there is none.
    package let entity: String?
    /// A description of the cause.
    package let message: String

    package init(entity: String? = nil, _ message: String) {
      self.entity = entity
      self.message = message
    }
  }

  /// The name of the input.
  public let file: String
  /// The line of the record, counted from 1, if the input has one record on each line; otherwise
  /// nil.
  public let line: Int?
  /// The position in the input, such as `$[3].author`.
  public let path: String
  /// Whether the problem stops the import.
  public package(set) var severity: Severity
  /// The kind of the problem.
  public let kind: Kind
  /// A description of the problem.
  public let message: String
  /// The cause of this problem. Reports list problems with the same cause together.
  package let cause: Cause
  /// The number of further problems with the same `kind` and `cause` that are not listed, because
  /// 10,000 problems of the kind are already listed.
  package let more: Int

  /// Creates a problem. If `cause` is `nil`, the message also describes the cause.
  package init(
    file: String, line: Int? = nil, path: String, severity: Severity = .error, kind: Kind,
    message: String, cause: Cause? = nil, more: Int = 0
  ) {
    self.file = file
    self.line = line
    self.path = path
    self.severity = severity
    self.kind = kind
    self.message = message
    self.cause = cause ?? Cause(message)
    self.more = more
  }

  /// The position of the problem: `posts.json: $[3].author`, or `posts.ndjson:4: $[3].author`.
  package var place: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(path)" }
}

extension ImportProblem {
  /// Creates a problem of a whole input, or of another part of the request such as the options.
  package init(in file: String, severity: Severity = .error, _ kind: Kind, _ message: String) {
    self.init(
      file: file, path: JSONPath.root.description, severity: severity, kind: kind, message: message)
  }

  /// Creates the problem of an input that the system cannot read.
  package init(unreadable file: String, _ failure: any Error) {
    self.init(in: file, .unreadable, "the input cannot be read to its end: \(failure)")
  }

  /// Creates the problem of rows that a rule of the database refuses.
  package init(refusedBy error: any Error) {
    self.init(in: "the database", .inconsistency, "the database refuses the rows: \(error)")
  }

  /// Creates the problem of a text that is not valid JSON, at a path of the input.
  package init(_ error: JSONError, file: String, in bytes: [UInt8], at path: JSONPath = .root) {
    let found = bytes.withUnsafeBufferPointer {
      JSONPathFinder.paths(at: [error.offset], in: $0, prefix: path.steps)[0]
    }
    self.init(error, file: file, path: found)
  }

  /// Creates the problem of a text that is not valid JSON.
  package init(_ error: JSONError, file: String, path: JSONPath) {
    self.init(
      file: file, path: path.description,
      kind: error.kind == .duplicateName ? .duplicateKey : .malformedJSON,
      message: error.description)
  }
}

extension ImportProblem: CustomStringConvertible {
  /// One line: `posts.json: $[3].author: warning: danglingReference: …`.
  public var description: String {
    "\(place): \(severity.rawValue): \(kind.rawValue): \(message)"
  }
}

extension Sequence<ImportProblem> {
  /// The number of problems, including those that are only counted.
  package var total: Int { reduce(0) { $0 + 1 + $1.more } }
}

/// All problems that stopped an operation.
public struct ImportProblems: Error, Hashable, Sendable {
  /// The problems, sorted by position.
  public let problems: [ImportProblem]

  /// Creates a list of problems.
  package init(_ problems: [ImportProblem]) { self.problems = problems }
}

extension ImportProblems: CustomStringConvertible {
  /// The problems, one on each line. More than ten problems are grouped by cause, like the result
  /// of ``text(maximum:)`` with a maximum of ten.
  public var description: String {
    let few = 10
    let lines = problems.total > few ? lines(maximum: few) : problems.map(\.description)
    return lines.joined(separator: "\n")
  }
}

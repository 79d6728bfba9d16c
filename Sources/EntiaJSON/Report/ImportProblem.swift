/// Something wrong with what was imported, and where.
public struct ImportProblem: Hashable, Sendable {
  /// Whether a problem stops the import.
  public enum Severity: String, Hashable, Sendable {
    /// Nothing is written.
    case error
    /// The import goes on.
    case warning
  }

  /// What kind of thing is wrong.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A record has no ID, or one that is neither a number nor a string.
    case missingID
    /// One row is given twice with different content.
    case conflict
    /// A relationship names a row that does not exist.
    case danglingReference
    /// A value has a shape or type that its place does not allow.
    case typeMismatch
    /// An object has two members of one name.
    case duplicateKey
    /// The bytes are not JSON.
    case malformedJSON
    /// The text is no comma-separated values.
    case malformedCSV
    /// The system refused to give the bytes.
    case unreadable
    /// A name is no entity of the schema.
    case unknownEntity
    /// A schema breaks its own rules.
    case invalidSchema
    /// Two schemas contradict each other.
    case schemaConflict
    /// A database breaks one of its own rules.
    case inconsistency
    /// What was asked for cannot be done: the format cannot be told, or needs a schema and a root.
    case usage
  }

  /// What problems have in common that are listed together.
  public struct Cause: Hashable, Sendable {
    /// The entity of the records; nil where there is none.
    public let entity: String?
    /// What is wrong with each of them.
    public let message: String

    /// Creates a cause.
    ///
    /// - Parameters:
    ///   - entity: The entity of the records; nil where there is none.
    ///   - message: What is wrong with each of them.
    public init(entity: String? = nil, _ message: String) {
      self.entity = entity
      self.message = message
    }
  }

  /// The name of the input.
  public let file: String
  /// The line of the record, counted from 1, in an input of one record a line; nil in others.
  public let line: Int?
  /// Where in the input, such as `$[3].author`.
  public let path: String
  /// Whether it stops the import.
  public internal(set) var severity: Severity
  /// What kind of thing is wrong.
  public let kind: Kind
  /// What is wrong, in a sentence.
  public let message: String
  /// What the problem has in common with others of its kind.
  public let cause: Cause

  /// Creates a problem.
  ///
  /// - Parameters:
  ///   - file: The name of the input.
  ///   - line: The line of the record, where the input has one record a line.
  ///   - path: Where in the input.
  ///   - severity: Whether it stops the import.
  ///   - kind: What kind of thing is wrong.
  ///   - message: What is wrong, in a sentence.
  ///   - cause: What it has in common with others of its kind; nil for the message.
  public init(
    file: String, line: Int? = nil, path: String, severity: Severity = .error, kind: Kind,
    message: String, cause: Cause? = nil
  ) {
    self.file = file
    self.line = line
    self.path = path
    self.severity = severity
    self.kind = kind
    self.message = message
    self.cause = cause ?? Cause(message)
  }

  /// Where the problem is: `posts.json: $[3].author`, or `posts.ndjson:4: $[3].author`.
  public var place: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(path)" }
}

extension ImportProblem {
  /// Makes the problem that a text is not JSON.
  init(_ error: JSONError, file: String, path: JSONPath) {
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

/// Problems that stopped something, all of them.
public struct ImportProblems: Error, Hashable, Sendable {
  /// The problems, in the order of their places.
  public let problems: [ImportProblem]

  /// Makes a list of problems.
  public init(_ problems: [ImportProblem]) { self.problems = problems }
}

extension ImportProblems: CustomStringConvertible {
  /// The problems, one a line.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

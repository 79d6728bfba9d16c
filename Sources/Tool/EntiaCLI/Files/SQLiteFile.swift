import EntiaCoding
import EntiaJSON
import EntiaRecords

#if ENTIA_SQLITE
  import EntiaSQLite
#endif

/// SQLite database files. The tables of a file are converted to JSON and read as JSON.
enum SQLiteFile {
  /// The first bytes of a SQLite database. Inputs are recognized by them.
  static let magic = Array("SQLite format 3\0".utf8)

  /// The endings of file names that select the format of SQLite for an output.
  private static let endings = [".sqlite", ".sqlite3", ".db"]

  /// Whether the ending of an output's name selects the format of SQLite.
  static func isName(_ name: String) -> Bool {
    let name = name.lowercased()
    return endings.contains { name.hasSuffix($0) }
  }

  /// Whether a file to write back is a SQLite database. Its content decides, or its name if the
  /// file does not exist.
  ///
  /// - Throws: A failure with `cannotRead`.
  static func isDatabase(_ file: InputFile) throws(CommandFailure) -> Bool {
    file.exists ? try file.begins(with: magic) : isName(file.name)
  }

  /// Whether the file exists and is a SQLite database.
  static func isOpenable(_ name: String) -> Bool {
    let file = InputFile(name: name)
    guard !file.isStandardInput, file.identity != nil else { return false }
    do throws(CommandFailure) {
      return try file.begins(with: magic)
    } catch {
      return false
    }
  }

  /// Checks that a SQLite database can be written.
  ///
  /// - Throws: A failure with `cannotWrite` for a file that is in use, and with `unavailable` if
  ///   the tool was built without SQLite.
  static func check(_ name: String) throws(CommandFailure) {
    #if ENTIA_SQLITE
      let path: String
      do throws(SystemCalls.Failure) {
        path = try SystemCalls.followingLinks(name)
      } catch {
        throw CommandFailure(.cannotWrite, "cannot write '\(name)': \(error.message)")
      }
      if let process = UntypedFile.process(writing: path) {
        throw isOpen(name, in: process)
      }
      // SQLite would apply the log of the old database to the new one.
      if let log = unfinishedLog(of: path) {
        throw CommandFailure(
          .cannotWrite,
          "cannot write '\(name)': '\(log)' belongs to a change that is not complete; close the "
            + "program that has the database open, or complete it with 'sqlite3 \(name) .tables'")
      }
      if isOpenable(path), RecordFile.isOpenElsewhere(path) {
        throw CommandFailure(
          .cannotWrite, "cannot write '\(name)': \(SystemCalls.Failure.isOpenDatabase.message)")
      }
    #else
      throw unavailable(name)
    #endif
  }

  /// Replaces an old file by a new file, unless a program uses the old file. If both files are
  /// SQLite databases, overwrites the content of the old file instead.
  ///
  /// - Parameters:
  ///   - path: The path of the old file, which need not exist.
  ///   - partial: The path of the new file.
  ///   - isExpected: Returns whether the state of the old file permits the replacement.
  ///   - keepsChanges: Whether to keep the old file if it is a database whose log has changes that
  ///     the file lacks.
  ///   - replace: Moves the new file over the old file.
  /// - Returns: Whether the old file was replaced.
  /// - Throws: `isOpenDatabase`; the errors of the closures and of the disk.
  static func replacing(
    _ path: String, by partial: String, if isExpected: () throws(SystemCalls.Failure) -> Bool,
    keepsChanges: Bool, _ replace: () throws(SystemCalls.Failure) -> Void
  ) throws(SystemCalls.Failure) -> Bool {
    #if ENTIA_SQLITE
      if isOpenable(path) {
        do {
          let use = try SoleUse(of: path)
          if keepsChanges, unfinishedLog(of: path) != nil { return false }
          guard try isExpected() else { return false }
          if let use, isOpenable(partial) {
            try SignalHandling.blockingSignals { try use.overwrite(with: partial) }
          } else {
            try withExtendedLifetime(use, replace)
          }
          return true
        } catch let error as SystemCalls.Failure {
          throw error
        } catch DatabaseFileError.isLocked {
          throw .isOpenDatabase
        } catch DatabaseFileError.isFull {
          throw .isFull
        } catch DatabaseFileError.isDamaged, DatabaseFileError.isNoDatabase {
          // The file is not a usable database, so no program can be using it as a database. The
          // file is replaced below.
        } catch {
          throw .isUnwritable
        }
      }
    #endif
    guard try isExpected() else { return false }
    try replace()
    return true
  }

  #if ENTIA_SQLITE
    /// Returns the path of the log or the journal of an unfinished change of a database; `nil` if
    /// no change is unfinished.
    private static func unfinishedLog(of path: String) -> String? {
      if InputFile(name: path + "-wal").size > 0 { return path + "-wal" }
      // SQLite may leave the journal of a finished change, but overwrites the beginning of that
      // journal.
      let journal = InputFile(name: path + "-journal")
      do throws(CommandFailure) {
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        guard journal.size > 0, try journal.begins(with: magic) else { return nil }
        return journal.name
      } catch {
        return journal.name
      }
    }

    private static func isOpen(_ name: String, in process: Int32) -> CommandFailure {
      CommandFailure(
        .cannotWrite,
        "cannot write '\(name)': process \(process) has it open; close it there first")
    }

    /// Checks that no program has opened a database without sharing it.
    ///
    /// - Throws: A failure with `cannotWrite` that names the process.
    static func refuseSoleWriter(of name: String) throws(CommandFailure) {
      guard !UntypedFile.isShared(name), let process = UntypedFile.process(writing: name) else {
        return
      }
      throw isOpen(name, in: process)
    }
  #endif

  /// Checks that writing a database back from its records loses nothing.
  ///
  /// - Throws: A failure with `badData` for a file with content that Entia does not write, such as
  ///   column types, indexes and triggers; and the errors of reading the file.
  static func checkRewriting(_ name: String) throws(CommandFailure) {
    #if ENTIA_SQLITE
      let losses = try reading { () throws(RecordFileError) in try RecordFile.losses(of: name) }
      if losses.isEmpty { return }
      throw CommandFailure(
        .badData,
        "cannot change '\(name)': it has what Entia does not write, and writing it back would remove "
          + "\(losses.joined(separator: ", ")); change it with SQLite, or change a copy, as "
          + "'entia export \(name) -o COPY.sqlite' writes it")
    #endif
  }

  /// Checks the structure of a SQLite database. Other files are not checked.
  ///
  /// - Throws: A failure with `badData` if SQLite finds problems; the failure lists them. A failure
  ///   with `cannotRead` if the file cannot be read.
  static func checkStructure(_ name: String) throws(CommandFailure) {
    #if ENTIA_SQLITE
      guard isOpenable(name) else { return }
      let problems = try reading { () throws(RecordFileError) in
        try RecordFile.problems(of: name, limit: 20)
      }
      if problems.isEmpty { return }
      throw CommandFailure(
        .badData,
        "'\(name)' is damaged, and may have lost rows: \(problems.joined(separator: "; ")); "
          + "restore a backup, or copy what is left with 'sqlite3 FILE .recover'")
    #endif
  }

  /// Returns a problem for each value in a SQLite database that JSON cannot represent. Other files
  /// have no problems.
  ///
  /// - Throws: A failure with `badData` or `cannotRead`.
  static func valueProblems(_ name: String) throws(CommandFailure) -> [ImportProblem] {
    #if ENTIA_SQLITE
      guard isOpenable(name) else { return [] }
      return try reading { () throws(RecordFileError) in
        try RecordFile.valueProblems(of: name)
      }
    #else
      return []
    #endif
  }

  /// Refuses a file of 0 bytes with the name of a SQLite database.
  ///
  /// - Throws: A failure with `badData`.
  static func refuseLost(_ file: InputFile) throws(CommandFailure) {
    guard isName(file.name), file.identity != nil, file.size == 0 else { return }
    throw CommandFailure(
      .badData,
      "'\(file.name)' has lost its content (0 bytes): restore a backup, or remove it to begin anew")
  }

  /// Reads a file as the JSON of its tables.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - tables: The names of the tables to read from a file of another program; `nil` for all.
  /// - Returns: The JSON, and notes on the parts of the file that the JSON lacks.
  /// - Throws: A failure with `badData` or `cannotRead`, with `usage` for tables that the file
  ///   lacks, and with `unavailable` if the tool was built without SQLite.
  static func read(
    _ name: String, tables: [String]? = nil
  ) throws(CommandFailure) -> (json: [UInt8], notes: [String]) {
    #if ENTIA_SQLITE
      if let tables {
        let problem = try reading { () throws(RecordFileError) in
          try RecordFile.problem(withTables: tables, of: name)
        }
        if let problem { throw CommandFailure(.usage, problem) }
      }
      return try reading { () throws(RecordFileError) in
        try RecordFile.read(name, tables: tables)
      }
    #else
      throw unavailable(name)
    #endif
  }

  /// Returns the delete rules of a file's foreign keys; `nil` for a file that Entia wrote, or that
  /// is not a SQLite database.
  ///
  /// - Throws: A failure with `badData` or `cannotRead`.
  static func deleteRules(of name: String) throws(CommandFailure) -> [ForeignDeleteRule]? {
    #if ENTIA_SQLITE
      let file = InputFile(name: name)
      if file.isStandardInput { return nil }
      guard file.identity != nil, try file.begins(with: magic) else { return nil }
      return try reading { () throws(RecordFileError) in try RecordFile.deleteRules(of: name) }
    #else
      return nil
    #endif
  }

  /// Evicts the oldest rows of a file that a program has saved.
  ///
  /// - Returns: The number of rows before, and the removed rows.
  /// - Throws: A failure with `badData` for a file without ages, `usage` for a kept entity that the
  ///   file lacks, `cannotRead` and `cannotWrite`. The file is then unchanged.
  static func evict(
    _ name: String, downTo limit: Int, keeping kept: [String], isDryRun: Bool
  ) throws(CommandFailure) -> (size: Int, rows: [(table: String, id: String)]) {
    #if ENTIA_SQLITE
      if !isDryRun { try check(name) }
      let result = try reading(isDryRun ? .cannotRead : .cannotWrite) {
        () throws(RecordFileError) in
        try RecordFile.evict(name, downTo: limit, keeping: kept, isDryRun: isDryRun)
      }
      switch result {
      case .success(let eviction): return (eviction.size, eviction.labels)
      case .failure(let refusal):
        throw CommandFailure(refusal.isUsage ? .usage : .badData, refusal.reason)
      }
    #else
      throw unavailable(name)
    #endif
  }

  /// Returns statistics of the rows' ages and the recorded answers in a file: a `text`, and a
  /// closure that writes the statistics as members of an object. Returns `nil` if there are none.
  ///
  /// - Throws: A failure with `badData` or `cannotRead`.
  static func freshness(
    of name: String
  ) throws(CommandFailure) -> (text: String, write: (inout JSONWriter) -> Void)? {
    #if ENTIA_SQLITE
      guard isOpenable(name) else { return nil }
      let statistics = try reading { () throws(RecordFileError) in
        try RecordFile.freshness(of: name)
      }
      return statistics.isEmpty ? nil : (statistics.text, { statistics.write(to: &$0) })
    #else
      return nil
    #endif
  }

  #if ENTIA_SQLITE
    /// Calls a function that opens a database file, and throws its error as a failure: `badData`,
    /// or the given kind if the file is not accessible.
    static func reading<Result>(
      _ inaccessible: ExitCode = .cannotRead,
      _ read: () throws(RecordFileError) -> Result
    ) throws(CommandFailure) -> Result {
      do {
        return try read()
      } catch {
        throw CommandFailure(error.isBadData ? .badData : inaccessible, error.description)
      }
    }
  #else
    static func unavailable(_ name: String) -> CommandFailure {
      CommandFailure(
        .unavailable,
        "'\(name)' is a SQLite database, and this entia was built without SQLite; install "
          + "libsqlite3-dev (sqlite-devel on Fedora) and build it again")
    }
  #endif
}

extension OutputFile {
  /// Writes a database.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - isSQLite: Whether to write a SQLite database, and not JSON; `nil` to decide by the ending
  ///     of the name.
  ///   - expectation: The required state of the file that is replaced.
  ///   - console: Shows the progress.
  /// - Throws: A failure with `cannotWrite`; the file is then unchanged.
  func write(
    _ database: RecordDatabase, asSQLite isSQLite: Bool? = nil,
    _ expectation: Expectation = .anything, showing console: Console
  ) throws(CommandFailure) {
    let isSQLite = isSQLite ?? SQLiteFile.isName(name)
    #if ENTIA_SQLITE
      if isSQLite {
        var reason: String?
        do throws(CommandFailure) {
          try write(expectation, showing: console) { (put) throws(SystemCalls.Failure) in
            do {
              try RecordFile.write(database, to: put)
            } catch let error as SystemCalls.Failure {
              throw error
            } catch {
              reason = "\(error)"
              throw SystemCalls.Failure(code: 0)
            }
          }
        } catch {
          guard let reason else { throw error }
          throw CommandFailure(.cannotWrite, "cannot write '\(name)': \(reason)")
        }
        return
      }
    #else
      if isSQLite { try SQLiteFile.check(name) }
    #endif
    try write(expectation, showing: console) { (put) throws(SystemCalls.Failure) in
      try database.write(to: put)
    }
  }
}

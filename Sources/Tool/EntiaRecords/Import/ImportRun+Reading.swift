import EntiaCoding
import EntiaJSON

extension ImportRun {
  /// Reads the records of all inputs.
  mutating func readRecords() {
    for index in inputs.indices {
      stage.file = index
      if let format = inputs[index].format, canRead(format) {
        let before = stage.counts.read
        read(inputs[index], as: format)
        inputs[index].isEmpty = stage.counts.read == before
      }
      markResults()
    }
  }

  private mutating func read(_ input: Input, as format: ImportFormat) {
    let before = bytesRead
    let progress = { [stage, onProgress = options.onProgress] (bytes: Int) in
      onProgress?(ImportProgress(bytes: before + bytes, records: stage.counts.read)) ?? ()
    }
    input.source.withWindow(progress: progress) { window in
      defer { bytesRead += window.end }
      read(window, input.tables, as: format)
      if let failure = window.failure { addUnreadable(failure) }
    }
  }

  private mutating func read(
    _ window: ByteWindow, _ tables: TablesLayout, as format: ImportFormat
  ) {
    if format == .ndjson { return readLines(window) }
    if format == .csv { return readCSV(window) }
    var reader = JSONReader(window)
    do throws(JSONError) {
      if let path = options.at, let problem = try reader.descend(to: path) {
        return addMissingPath(path, problem, at: reader.tokenStart)
      }
      switch format {
      case .nested: try readNested(&reader)
      case .tables: try readTables(&reader, tables)
      case .django: try readDjango(&reader)
      case .jsonapi: try readJSONAPI(&reader)
      case .graphql: try readGraphQL(&reader)
      case .keyed: try readKeyed(&reader)
      case .ndjson, .csv, .auto: break
      }
      try ascend(&reader)
      // Content after the one value is an error.
      _ = try reader.next()
    } catch {
      // If the system failed, the truncated text is not an error of its own.
      if window.failure == nil { addMalformed(error) }
    }
  }

  /// Reads to the end of the value that contains the records, and reports repeated names on the
  /// path, because it is ambiguous which of the members contains the records.
  func ascend(_ reader: inout JSONReader) throws(JSONError) {
    guard let path = options.at else { return }
    for offset in try reader.ascend(from: path) { addDuplicate(at: offset) }
  }
}

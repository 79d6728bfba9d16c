import EntiaCoding
import EntiaJSON

extension ImportRun: ShapeReader {
  /// Reports that the bytes of an input could not be read.
  func addUnreadable(_ failure: any Error) {
    stage.problems.add(
      ImportProblem(unreadable: inputs[stage.file].source.name, failure), file: stage.file)
  }

  /// Reports that there are no records at the path in the options.
  func addMissingPath(_ path: JSONPath, _ problem: String, at offset: Int) {
    addMismatch(at: offset, "there are no records at \(path): \(problem)")
  }

  func addMalformed(_ error: JSONError) {
    stage.problems.add(
      .malformedJSON, at: stage.origin(error.offset), error.description)
  }

  func addMismatch(at offset: Int, _ message: String) {
    stage.problems.add(.typeMismatch, at: stage.origin(offset), message)
  }

  func addDuplicate(at offset: Int) {
    stage.problems.add(
      .duplicateKey, at: stage.origin(offset), "the object already has a member of this name")
  }
}

extension SharedDatabaseError {
  /// Whether a push that fails with this error rejects its batch, while other calls may succeed.
  var rejectsBatch: Bool {
    switch self {
    case .cannotEncode, .notCodable, .schemaDiffers, .noRights, .refused: true
    default: false
    }
  }

  /// Creates the error of a call on the log.
  init(sharing space: String, _ error: any Error) {
    self =
      error as? SharedDatabaseError
      ?? .failed(space: space, code: "", reason: String(describing: error))
  }
}

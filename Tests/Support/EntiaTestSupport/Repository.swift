public import Foundation

/// The repository, whose files tests read.
public enum Repository {
  /// The root of the repository.
  public static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}

#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
  public import Foundation
#endif

/// The settings of a database file.
public struct DatabaseFileConfiguration: Equatable, Sendable {
  /// The events that an acknowledged save survives.
  public enum Durability: Equatable, Sendable {
    /// A save survives power loss, because it is on the disk when the call returns.
    case durable
    /// A save survives the end of the process at any moment. Power loss may undo the last saves,
    /// the newest first, but never only a part of a save.
    case fast
  }

  /// The processes that may write a file at the same time.
  public enum Access: Equatable, Sendable {
    /// Only this process may write the file. Other processes can read the file at any moment.
    case sole
    /// All processes that open the file with this access may write it. A part of a store is shared
    /// with these processes by ``EntiaStore/StoreComponentType/share(_:through:merge:)``.
    case shared
  }

  /// The events that an acknowledged save survives.
  public var durability: Durability
  /// The processes that may write the file at the same time.
  public var access: Access
  /// Whether the file is only read. If so, it must exist.
  public var isReadOnly: Bool
  #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    /// The protection class of the file and its log; `nil`, the default, for the class of the app's
    /// new files. With `complete`, saves fail while the device is locked.
    public var protection: FileProtectionType?
  #endif
  /// The name of SQLite's VFS through which a file is written; `nil` outside tests.
  package var fileSystem: String?

  /// Whether other processes may write the file while it is open.
  var isChangedByOthers: Bool { isReadOnly || access == .shared }

  /// Creates settings.
  /// - Parameters:
  ///   - durability: The events that an acknowledged save survives.
  ///   - access: The processes that may write the file at the same time.
  ///   - isReadOnly: Whether the file is only read.
  public init(
    durability: Durability = .durable, access: Access = .sole, isReadOnly: Bool = false
  ) {
    self.durability = durability
    self.access = access
    self.isReadOnly = isReadOnly
  }
}

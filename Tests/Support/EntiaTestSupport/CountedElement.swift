/// An element whose release is counted.
public final class CountedElement {
  /// The number of released elements.
  public final class Releases {
    /// The number.
    public var count = 0

    /// Creates a number.
    public init() {}
  }

  /// The value of the element.
  public let value: Int
  private let releases: Releases

  /// Creates an element.
  public init(_ value: Int, _ releases: Releases) {
    self.value = value
    self.releases = releases
  }

  deinit { releases.count += 1 }
}

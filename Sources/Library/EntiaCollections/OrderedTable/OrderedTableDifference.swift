/// The differences of one version of an ordered table from an older one, by key.
///
/// To turn the older version into the newer one: remove the removed and the moved elements; insert
/// the inserted and the moved elements, by ascending position; replace the updated elements.
@frozen
public struct OrderedTableDifference<Element> {
  /// An element and its position in one of the versions.
  @frozen
  public struct Placed {
    /// The position of the element in its version.
    public let position: Int
    /// The element.
    public let element: Element

    @inlinable
    init(position: Int, element: Element) {
      self.position = position
      self.element = element
    }
  }

  /// An element that both versions have under the same key, in both forms.
  @frozen
  public struct Updated {
    /// The position in the newer version.
    public let position: Int
    /// The element of the older version.
    public let old: Element
    /// The element of the newer version.
    public let new: Element

    @inlinable
    init(position: Int, old: Element, new: Element) {
      self.position = position
      self.old = old
      self.new = new
    }
  }

  /// An element that changed its position relative to the others.
  @frozen
  public struct Moved {
    /// The position in the older version.
    public let from: Int
    /// The position in the newer version.
    public let to: Int
    /// The element of the newer version.
    public let element: Element

    @inlinable
    init(from: Int, to: Int, element: Element) {
      self.from = from
      self.to = to
      self.element = element
    }
  }

  /// The elements that only the newer version has, by position there.
  public var inserted: [Placed] = []
  /// The elements that only the older version has, by position there.
  public var removed: [Placed] = []
  /// The elements that differ, by position in the newer version. They may also have moved.
  public var updated: [Updated] = []
  /// The elements whose position relative to the others differs, by position in the newer version.
  public var moved: [Moved] = []

  @inlinable
  init() {}

  /// Whether the versions hold equal elements in the same order.
  public var isEmpty: Bool {
    inserted.isEmpty && removed.isEmpty && updated.isEmpty && moved.isEmpty
  }
}

extension OrderedTableDifference: Sendable where Element: Sendable {}
extension OrderedTableDifference.Placed: Sendable where Element: Sendable {}
extension OrderedTableDifference.Updated: Sendable where Element: Sendable {}
extension OrderedTableDifference.Moved: Sendable where Element: Sendable {}
extension OrderedTableDifference: Equatable where Element: Equatable {}
extension OrderedTableDifference.Placed: Equatable where Element: Equatable {}
extension OrderedTableDifference.Updated: Equatable where Element: Equatable {}
extension OrderedTableDifference.Moved: Equatable where Element: Equatable {}

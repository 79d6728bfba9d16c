/// An element whose release is counted.
final class CountedElement {
  final class Releases {
    var count = 0
  }

  let value: Int
  private let releases: Releases

  init(_ value: Int, _ releases: Releases) {
    self.value = value
    self.releases = releases
  }

  deinit { releases.count += 1 }
}

import EntiaDatabase
import Foundation

extension Case {
  static let predicateCount = Case(
    "count by a predicate, a row", note: "two conditions, no index; a closure says the same",
    bars: [.of(overTable, (2.5, 2.5, 1.4)), .of(Names.array, 3)]
  ) { stage in
    let blog = try stage.blog.get()
    let limit = BlogData.mostViews / 2
    let descriptor = FetchDescriptor<Post>(
      predicate: #Predicate { $0.views > limit && $0.score < 4 })
    let isIncluded: @Sendable (Post) -> Bool = { $0.views > limit && $0.score < 4 }
    let byClosure = FetchDescriptor<Post>(where: isIncluded)
    return [
      .sum(Names.entia, blog, stage.size) { $0.fetchCount(descriptor) },
      .sum("entia, closure", blog, stage.size) { $0.fetchCount(byClosure) },
      .sum(overTable, blog.posts, stage.size) { $0.filter(isIncluded).count },
      .sum(Names.array, stage.posts, stage.size) { $0.filter(isIncluded).count },
      .sum("array, no copies", stage.posts, stage.size) { $0.count(where: isIncluded) },
    ]
  }

  private static let overTable = "table filter"
}

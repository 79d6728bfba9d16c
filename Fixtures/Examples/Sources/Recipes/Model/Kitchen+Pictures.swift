import Entia
import Foundation

/// The cache of pictures.
extension Kitchen {
  /// Records that the picture of a recipe was loaded. It is not an edit, so it cannot be undone.
  package func receivePicture(
    from address: String, width: Int, height: Int, byteCount: Int,
    for id: Recipe.EntityID, at time: Date
  ) throws {
    let picture = Picture(id: address, width: width, height: height, byteCount: byteCount)
    try commit("Receive", undo: .none) { state in
      try state.book.performBatchUpdates { context in
        context.modifying.pictures.insert(picture, receivedAt: time)
        context.modifying.recipes.updateIfExists(id: id) { $0.picture = picture.entityID }
      }
    }
  }

  /// Returns the pictures to remove: those that were loaded first, as many as necessary. The
  /// pictures of the recipes on the menu are kept, because the menu holds these recipes.
  package func plan(evictingDownTo byteCount: Int) -> EvictionPlan<RecipeBook> {
    state.book.plan(evictingDownTo: Self.budget(byteCount))
  }

  /// Evicts pictures. Those that an observer reads are kept, too.
  package func evict(downTo byteCount: Int) {
    store.evict(\.book, downTo: Self.budget(byteCount))
  }

  private static func budget(_ byteCount: Int) -> EvictionBudget {
    .bytes(byteCount) { ($0 as? Picture)?.byteCount ?? 0 }
  }
}

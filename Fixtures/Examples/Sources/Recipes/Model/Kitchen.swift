import Entia
import EntiaSQLite

package struct KitchenState: StateType {
  package var book = RecipeBook()
  /// What is typed into the search field. It is not in the file.
  package var searchText = ""
  /// Why the last command was refused.
  package var problem = ""
}

/// The recipe book of this process. Every process with the same file has the same recipes.
package final class Kitchen: StoreComponentType {
  package typealias State = KitchenState
  package typealias Activity = Never

  package let store: Store<KitchenState, Never>
  /// The shopping list, computed again only after a change of the book.
  package let shoppingList: Derived<[ShoppingLine]>
  private let file: DatabaseFile<RecipeBook>
  private let sharing: DatabaseSharing<RecipeBook>

  package init(path: String) throws {
    file = try DatabaseFile(path: path, configuration: .init(access: .shared))
    store = Store(initialState: KitchenState(book: try file.load()))
    sharing = try store.share(\.book, through: file)
    shoppingList = store.derived(.select(\.book.shoppingList))
    sharing.onRejection { batch, error in
      print("taken back: \(batch.name ?? "an edit"), because \(error)")
    }
  }

  /// Waits until every edit is in the file.
  package func saved(isolation: isolated (any Actor)? = #isolation) async throws {
    try await sharing.saved()
  }

  /// Waits until every edit is in the file, and closes it.
  package func close() async throws {
    try await sharing.saved()
    sharing.close()
    try file.close()
  }

  package func toggleFavorite(_ id: Recipe.EntityID) {
    store.ref(id, in: \.book)[\.isFavorite].value?.toggle()
  }

  /// Deletes a recipe with its portions.
  package func delete(_ id: Recipe.EntityID) throws {
    try batch(\.book, "Delete") { $0.recipes.remove(id) }
  }

  /// Runs a command of a view, and keeps the reason of a refusal for the view to show.
  package func attempt(_ command: () throws -> Void) {
    commit(undo: .none) { $0.problem = "" }
    do { try command() } catch { commit(undo: .none) { $0.problem = "\(error)" } }
  }

  // MARK: The menu and its shopping list

  package func cook(_ id: Recipe.EntityID) throws {
    try batch(\.book, "Cook") { $0.menu.append(id) }
  }

  /// Puts an ingredient of the shopping list into the basket, or takes it out again.
  package func toggleBasket(_ id: Ingredient.EntityID) throws {
    try batch(\.book, "Basket") { book in
      if !book.basket.remove(id) { book.basket.insert(id) }
    }
  }

  /// Begins a new menu.
  package func clearMenu() throws {
    try batch(\.book, "New menu") { book in
      book.menu.removeAll()
      book.basket.removeAll()
    }
  }
}

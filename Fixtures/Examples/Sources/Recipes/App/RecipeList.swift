#if canImport(SwiftUI)
  import Entia
  import RecipeBook
  import SwiftUI

  struct RecipeList: View {
    let kitchen: Kitchen
    @State private var draft: RecipeDraft?

    var body: some View {
      NavigationStack {
        FoundRecipes(text: kitchen.store.searchText, kitchen: kitchen) { recipe in
          draft = RecipeDraft(of: recipe, in: kitchen)
        }
        .searchable(text: kitchen.store.binding(\.searchText, undo: .none))
        .navigationTitle("Recipes")
        .toolbar {
          NavigationLink("Shopping") { ShoppingList(kitchen: kitchen) }
          Button("New") {
            kitchen.attempt { draft = try RecipeDraft(titled: "New recipe", in: kitchen) }
          }
          Button("Undo") { kitchen.undo() }
          Button("Redo") { kitchen.redo() }
        }
        .sheet(item: $draft) { RecipeEditor(draft: $0) }
      }
    }
  }

  /// The recipes that a text finds. The list is updated when its result changes, also by a process
  /// beside this one.
  struct FoundRecipes: View {
    private let kitchen: Kitchen
    private let edit: (Recipe.EntityID) -> Void
    @StoreQuery<KitchenState, Never, Recipe> private var recipes: [Recipe]

    init(text: String, kitchen: Kitchen, edit: @escaping (Recipe.EntityID) -> Void) {
      self.kitchen = kitchen
      self.edit = edit
      _recipes = StoreQuery(RecipeBook.recipes(matching: text), in: \KitchenState.book)
    }

    var body: some View {
      List {
        Text(kitchen.store.problem)
        ForEach(recipes) { recipe in
          HStack {
            Button(recipe.isFavorite ? "★" : "☆") { kitchen.toggleFavorite(recipe.entityID) }
            Button(recipe.title) { edit(recipe.entityID) }
            Button("Cook") { kitchen.attempt { try kitchen.cook(recipe.entityID) } }
          }
        }
        .onDelete { offsets in
          for recipe in offsets.map({ recipes[$0].entityID }) {
            kitchen.attempt { try kitchen.delete(recipe) }
          }
        }
      }
    }
  }
#endif

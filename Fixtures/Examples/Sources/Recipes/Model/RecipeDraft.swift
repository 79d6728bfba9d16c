import Entia

/// A recipe while it is edited. Nothing is in the book before the draft is saved.
package final class RecipeDraft: Identifiable, Sendable {
  package let recipeID: Recipe.EntityID
  private let draft: EditingDraft<RecipeBook>

  /// Begins to edit a recipe.
  package init(of id: Recipe.EntityID, in kitchen: Kitchen) {
    recipeID = id
    draft = kitchen.store.draft(\.book)
  }

  /// Begins a new recipe.
  package init(titled title: String, in kitchen: Kitchen) throws {
    draft = kitchen.store.draft(\.book)
    recipeID = try draft.update { try $0.addRecipe(titled: title) }
  }

  /// The recipe, for reading and writing; `nil` if it does not exist.
  package var recipe: Ref<Recipe?> { draft.ref[entity: recipeID] }
  package var ingredients: [String] { draft.value.ingredients(of: recipeID) }

  /// Adds an ingredient such as "200g flour", or changes its amount.
  package func addIngredient(_ text: String) throws {
    try draft.update { try $0.addIngredient(text, to: recipeID) }
  }

  @discardableResult
  package func undo() -> Bool { draft.undo() }

  /// Merges the edits with the changes that this or another process has made to the book meanwhile.
  /// - Throws: `MergeError` if the edits and the book have different changes of a member.
  package func save() throws { try draft.save("Edit recipe") }
}

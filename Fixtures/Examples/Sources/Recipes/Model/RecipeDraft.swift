import Entia
import Foundation

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
    let recipe = Recipe(id: UUID().uuidString, title: title)
    recipeID = recipe.entityID
    draft = kitchen.store.draft(\.book)
    try draft.update { book in
      try book.performBatchUpdates { $0.modifying.recipes.insert(recipe) }
    }
  }

  /// The recipe, for reading and writing; `nil` if it does not exist.
  package var recipe: Ref<Recipe?> { draft.ref[entity: recipeID] }
  package var ingredients: [String] { draft.value.ingredients(of: recipeID) }

  /// Adds an ingredient such as "200g flour", or changes its amount.
  package func addIngredient(_ text: String) throws {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2, let amount = Amount(parsing: words[0]) else {
      throw Mistake("write an amount and an ingredient, such as 200g flour")
    }
    let ingredient = Ingredient(id: words[1].lowercased(), name: words[1])
    let portion = Portion(recipe: recipeID, ingredient: ingredient.entityID, amount: amount)
    try draft.update { book in
      try book.performBatchUpdates { context in
        if !context.modifying.ingredients.contains(ingredient.entityID) {
          context.modifying.ingredients.insert(ingredient)
        }
        context.modifying.portions.insert(portion)
      }
    }
  }

  @discardableResult
  package func undo() -> Bool { draft.undo() }

  /// Merges the edits with what was changed in the book meanwhile, in this process or another one.
  /// - Throws: `MergeError` if a member was changed in both.
  package func save() throws { try draft.save("Edit recipe") }
}

/// Something that was typed and means nothing, with what to write instead.
package struct Mistake: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}

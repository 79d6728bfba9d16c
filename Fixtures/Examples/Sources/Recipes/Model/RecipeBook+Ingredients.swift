import Entia
import Foundation

extension RecipeBook {
  /// Adds a recipe that has no ingredients yet.
  /// - Returns: Its ID.
  package mutating func addRecipe(titled title: String) throws -> Recipe.EntityID {
    let recipe = Recipe(id: UUID().uuidString, title: title)
    try performBatchUpdates { $0.modifying.recipes.insert(recipe) }
    return recipe.entityID
  }

  /// Adds an ingredient such as "200g flour" to a recipe, or changes its amount.
  package mutating func addIngredient(_ text: String, to recipe: Recipe.EntityID) throws {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2, let amount = Amount(parsing: words[0]) else {
      throw Mistake("write an amount and an ingredient, such as 200g flour")
    }
    let ingredient = Ingredient(id: words[1].lowercased(), name: words[1])
    try performBatchUpdates { context in
      // An ingredient that another recipe needs too keeps its name.
      context.modifying.ingredients.insert(ingredient, merging: .keep)
      context.modifying.portions.insert(
        Portion(recipe: recipe, ingredient: ingredient.entityID, amount: amount))
    }
  }

  /// The ingredients of a recipe, such as "200 g flour".
  package func ingredients(of recipe: Recipe.EntityID) -> [String] {
    view(of: recipe)?[inverse: \.portionRecipe].map { portion in
      "\(portion.amount) \(portion[\.portionIngredient]?.name ?? "")"
    } ?? []
  }

  /// The recipes that need an ingredient.
  package func recipes(with ingredient: Ingredient.EntityID) -> [Recipe] {
    view(of: ingredient)?[through: \.portionIngredient, \.portionRecipe].map(\.entity) ?? []
  }
}

/// Something that was typed and means nothing, with what to write instead.
package struct Mistake: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}

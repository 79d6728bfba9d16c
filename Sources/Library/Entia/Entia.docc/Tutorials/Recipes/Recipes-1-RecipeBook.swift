import Entia

/// A recipe. Its ingredients are portions, which refer to it.
@Entity
package struct Recipe {
  package let id: String
  package var title: String
  package var method = ""
  package var minutes = 30
  package var isFavorite = false
}

@Entity
package struct Ingredient {
  /// The name in small letters: an ingredient is one row, however it was typed.
  package let id: String
  package var name: String
}

/// The amount of an ingredient that a recipe needs.
@Entity(id: "recipe", "ingredient")
package struct Portion {
  package let recipe: Recipe.EntityID
  package let ingredient: Ingredient.EntityID
  package var amount: Amount
}

@NormalizedStorage
package struct RecipeBook {
  @Table package var recipes: Tables.Hash<Recipe> = .init()
  @Table package var ingredients: Tables.Hash<Ingredient> = .init()
  @Table package var portions: Tables.Hash<Portion> = .init()

  @Relationship package var portionRecipe: ToOne<Portion, Recipe> =
    .init(\.recipe, onDelete: .cascade)
  @Relationship package var portionIngredient: ToOne<Portion, Ingredient> = .init(\.ingredient)
}

import Entia

/// A recipe. Its ingredients are portions, which refer to it.
@Entity
package struct Recipe {
  package let id: String
  package var title: String
  package var method = ""
  package var minutes = 30
  package var isFavorite = false
  /// The address of a picture, which may be in the cache or not.
  package var picture: Picture.EntityID?
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

/// What is known of a picture that was loaded. The picture itself is in the folder of a cache.
@Entity
package struct Picture {
  /// The address.
  package let id: String
  package var width: Int
  package var height: Int
  package var byteCount: Int
}

@NormalizedStorage
package struct RecipeBook {
  @Table package var recipes: Tables.Hash<Recipe> = .init()
  @Table package var ingredients: Tables.Hash<Ingredient> = .init()
  @Table package var portions: Tables.Hash<Portion> = .init()
  @Table package var pictures: Tables.Hash<Picture> = .init()

  @Relationship package var portionRecipe: ToOne<Portion, Recipe> =
    .init(\.recipe, onDelete: .cascade)
  @Relationship package var portionIngredient: ToOne<Portion, Ingredient> = .init(\.ingredient)
  /// A recipe keeps the address of a picture that was evicted.
  @Relationship package var recipePicture: ToOne<Recipe, Picture> =
    .init(\.picture, onDelete: .keepDangling)

  @Index package var recipesByTitle: Indexes.Sorted<Recipe, String> = .init(\.title)
  @Index package var recipeText: Indexes.Text<Recipe> = .init(\.title, \.method, weights: [3, 1])
  @Index package var pictureAges: Indexes.Age<Picture> = .init()

  /// The recipes to cook next. One that is deleted leaves the menu.
  @Index package var menu: Indexes.OrderedID<Recipe> = .init()
  /// The ingredients on the shopping list that are in the basket.
  @Index package var basket: Indexes.Set<Ingredient> = .init()

  @Check package var hasTitle: Checks.Entity<Recipe> = .init("a recipe has a title") {
    !$0.title.isEmpty
  }
  @Check package var isPositive: Checks.Entity<Portion> = .init("an amount is positive") {
    $0.amount.value > 0
  }
}

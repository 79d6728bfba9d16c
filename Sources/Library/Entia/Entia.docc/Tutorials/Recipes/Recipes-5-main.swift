import Entia
import RecipeBook

let kitchen = try Kitchen(path: "recipes.sqlite")
print("recipes in the file:", kitchen.state.book.recipes.count)

let cake = try RecipeDraft(titled: "Sponge cake", in: kitchen)
for ingredient in ["150g Flour", "4 eggs", "2 lemons"] { try cake.addIngredient(ingredient) }
cake.undo()
print("in the draft:", cake.ingredients)
print("recipes in the book:", kitchen.state.book.recipes.count)
try cake.save()
print("recipes in the book:", kitchen.state.book.recipes.count)

// The recipe is marked in the book while a draft changes its title.
let edit = RecipeDraft(of: cake.recipeID, in: kitchen)
try edit.recipe.update { $0?.title = "Sponge cake with lemon" }
kitchen.toggleFavorite(cake.recipeID)
try edit.save()
for recipe in kitchen.state.book.fetch(RecipeBook.recipes(matching: "")) {
  print(recipe.title, recipe.isFavorite ? "★" : "☆")
}

try await kitchen.close()

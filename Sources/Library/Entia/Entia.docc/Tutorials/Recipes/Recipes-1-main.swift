import Entia
import RecipeBook

var book = RecipeBook()
let pancakes = try book.addRecipe(titled: "Pancakes")
for ingredient in ["200g flour", "3 eggs", "0.5l milk"] {
  try book.addIngredient(ingredient, to: pancakes)
}
let cake = try book.addRecipe(titled: "Sponge cake")
for ingredient in ["150g Flour", "4 Eggs"] { try book.addIngredient(ingredient, to: cake) }

print(book.ingredients(of: pancakes))
print("with flour:", book.recipes(with: "flour").map(\.title))

try book.performBatchUpdates { $0.modifying.recipes.remove(pancakes) }
print("with flour:", book.recipes(with: "flour").map(\.title))
print("portions left:", book.portions.count)

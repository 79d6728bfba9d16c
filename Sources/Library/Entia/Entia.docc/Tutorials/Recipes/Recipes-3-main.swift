import Entia
import RecipeBook

var book = RecipeBook()
let pancakes = try book.addRecipe(titled: "Pancakes")
for ingredient in ["200g flour", "3 eggs", "0.5l milk"] {
  try book.addIngredient(ingredient, to: pancakes)
}
let cake = try book.addRecipe(titled: "Sponge cake")
for ingredient in ["150g Flour", "4 Eggs"] { try book.addIngredient(ingredient, to: cake) }

try book.performBatchUpdates { context in
  context.modifying.menu.append(contentsOf: [pancakes, cake])
  context.modifying.basket.insert("eggs")
}
for line in book.shoppingList { print(line) }

try book.performBatchUpdates { $0.modifying.recipes.remove(pancakes) }
print("without the pancakes:", book.shoppingList)

do {
  try book.addIngredient("0g salt", to: cake)
} catch BatchError.refused(let violations) {
  for case .brokenCheck(_, let rule, _) in violations { print("refused, because", rule) }
}

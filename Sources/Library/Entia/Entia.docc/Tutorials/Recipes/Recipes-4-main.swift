import Entia
import RecipeBook

let kitchen = try Kitchen(path: "recipes.sqlite")
print("recipes in the file:", kitchen.state.book.recipes.count)

let pancakes = try kitchen.commit("Add") { state in
  let pancakes = try state.book.addRecipe(titled: "Pancakes")
  for ingredient in ["200g flour", "3 eggs", "0.5l milk"] {
    try state.book.addIngredient(ingredient, to: pancakes)
  }
  return pancakes
}
try kitchen.cook(pancakes)
for line in kitchen.shoppingList.value { print(line) }

try kitchen.delete(pancakes)
print("to buy without the recipe:", kitchen.shoppingList.value.count)
print("undo:", kitchen.undoName ?? "nothing")
kitchen.undo()
print("to buy with it:", kitchen.shoppingList.value.count)

try await kitchen.close()

import Entia
import RecipeBook

var book = RecipeBook()
let pancakes = try book.addRecipe(titled: "Pancakes")
let cake = try book.addRecipe(titled: "Sponge cake")
try book.performBatchUpdates { context in
  context.modifying.recipes[pancakes]?.method = "Whisk, wait, fry."
  context.modifying.recipes[cake]?.method = "Whisk the eggs for long."
}

for typed in ["", "pan", "whis", "whis cak", "soup"] {
  let found = book.fetch(RecipeBook.recipes(matching: typed))
  print("\"\(typed)\" finds", found.map(\.title))
}
print(book.explain(RecipeBook.recipes(matching: "")))
print(book.explain(RecipeBook.recipes(matching: "whis")))

import Entia
import Foundation

extension RecipeBook {
  /// The recipes that a text finds, the best match first; all of them by title if it is empty.
  package static func recipes(matching text: String) -> FetchDescriptor<Recipe> {
    FetchDescriptor(
      matching: text, in: \RecipeBook.recipeText,
      sortBy: text.isEmpty ? [SortDescriptor(\.title)] : [])
  }
}

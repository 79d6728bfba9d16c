#if canImport(SwiftUI)
  import Foundation
  import RecipeBook
  import SwiftUI

  @main
  struct RecipesApp: App {
    /// The file is opened once, and an error is shown instead of the recipes.
    @State private var kitchen = Result {
      let folder = try FileManager.default.url(
        for: .documentDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
      return try Kitchen(path: folder.appending(path: "recipes.sqlite").path)
    }

    var body: some Scene {
      WindowGroup {
        switch kitchen {
        case .success(let kitchen): RecipeList(kitchen: kitchen).environment(kitchen.store)
        case .failure(let error): Text("\(error)")
        }
      }
    }
  }
#else
  @main
  struct RecipesApp {
    static func main() { print("RecipesApp needs SwiftUI; Recipes is the same for a terminal") }
  }
#endif

#if canImport(SwiftUI)
  import RecipeBook
  import SwiftUI

  /// What the recipes on the menu need together.
  struct ShoppingList: View {
    let kitchen: Kitchen

    var body: some View {
      List {
        ForEach(kitchen.shoppingList.value) { line in
          Button(line.description) { kitchen.attempt { try kitchen.toggleBasket(line.id) } }
        }
      }
      .navigationTitle("Shopping")
      .toolbar {
        Button("New menu") { kitchen.attempt { try kitchen.clearMenu() } }
      }
    }
  }
#endif

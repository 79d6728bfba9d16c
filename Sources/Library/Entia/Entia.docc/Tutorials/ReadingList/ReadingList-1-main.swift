import Entia

@Entity
struct Author {
  let id: String
  var name: String
}

@Entity
struct Book {
  let id: String
  var title: String
  var year: Int
  var authorID: Author.EntityID
}

let book = Book(id: "b1", title: "The Dispossessed", year: 1974, authorID: "a1")
print(book.title, "has the ID", book.entityID)

/// The words and names of generated texts.
enum BlogWords {
  static let firstNames = [
    "Ada", "Bea", "Chidi", "Dana", "Émilie", "Farid", "Greta", "Hana", "Ines", "Jón", "Kofi",
    "Лев", "Mary", "Ngozi", "Olga", "Priya", "Quinn", "Rosa", "Søren", "Tariq", "Uma", "Věra",
    "Wei", "Ximena", "Yusuf", "Zoë",
  ]

  static let lastNames = [
    "Abbott", "Bianchi", "Costa", "Dvořák", "Eze", "Fischer", "Grant", "Haddad", "Ito", "Jansen",
    "Kaya", "Lund", "Mbeki", "Novak", "Okafor", "Park", "Quispe", "Rossi", "Şahin", "Tanaka",
    "Ueda", "Varga", "Weiss", "Xu", "Yıldız", "Zieliński",
  ]

  static let words = [
    "air", "bones", "bridge", "cliff", "clock", "coast", "cold", "colour", "dust", "early",
    "engine",
    "field", "fire", "glass", "hammer", "harbour", "heat", "history", "hour", "ink", "instrument",
    "iron", "island", "kettle", "lamp", "language", "lens", "letter", "light", "map", "measure",
    "memory", "mirror", "motion", "mountain", "music", "needle", "night", "number", "orbit",
    "paper",
    "pattern", "pebble", "pendulum", "question", "rain", "river", "rope", "salt", "season", "shell",
    "signal", "silver", "slow", "smoke", "sound", "spring", "stone", "storm", "story", "table",
    "telescope", "thread", "tide", "tower", "train", "valley", "voice", "water", "weather", "wheel",
    "window", "winter", "wood",
  ]

  /// Texts that contain characters with escapes or of several bytes.
  static let asides = [
    "\"Quoted\", as they say.", "A back\\slash.", "One line,\nand another.", "Tab\there.",
    "Naïve café — déjà vu.", "½mv², not mv.", "Привет!", "日本語", "📜",
  ]

  static let tags = [
    "essay", "fossils", "history", "how-to", "letters", "maps", "music", "optics", "physics",
    "travel", "translation", "walks",
  ]

  static let places = [
    ("Lyme Regis", "50.7252", "-2.9366"), ("Cirey", "48.3069", "4.9456"),
    ("Kōbe", "34.6901", "135.1955"), ("Accra", "5.6037", "-0.1870"),
    ("Petrograd", "59.9375", "30.3086"), ("Valparaíso", "-33.0472", "-71.6127"),
  ]
}

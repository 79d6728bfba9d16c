/// A namespace for the kinds of tables of a database.
public enum Tables {}

/// The kinds of tables that a database can be made of.
public enum Tables {}

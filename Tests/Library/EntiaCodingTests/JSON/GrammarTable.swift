/// Texts that the grammar of RFC 8259 accepts.
let acceptedTexts: [String] = [
  // Scalars at the root.
  "null", "true", "false", "0", "-0", "1", "-1", "12345678901234567890", "\"\"", "\"a\"",
  // Numbers.
  "0.0", "-0.0", "0.1", "1.5", "123.456", "0e0", "0E0", "0e+0", "0e-0", "1e1", "1E1", "1e+1",
  "1e-1", "1.5e10", "1.5E-10", "-1.5e+10", "1e400", "-1e400", "1e-400", "1e00", "1e01",
  "1e99999999999999999999", "0.00000000000000000000000000000000000001",
  "123456789012345678901234567890", "3.141592653589793238462643383279502884197", "-0e-0", "10",
  "100", "1.0", "20.001",
  // Whitespace.
  " null", "null ", "\tnull", "null\n", "\r\nnull\r\n", " \t\r\n1 \t\r\n", "[ ]", "{ }",
  "[\n]", "{\t}", "[ 1 , 2 ]", "{ \"a\" : 1 , \"b\" : 2 }", "{\"a\"\n:\n1}",
  // Arrays.
  "[]", "[[]]", "[[],[]]", "[null]", "[true,false]", "[1,2,3]", "[\"a\",\"b\"]", "[1,[2,[3]]]",
  "[{}]", "[{},{}]", "[[[[[[[[]]]]]]]]", "[-1]", "[0,0]", "[\"\"]", "[[1],2]", "[{\"a\":[]}]",
  // Objects.
  "{}", "{\"a\":1}", "{\"\":0}", "{\"a\":null}", "{\"a\":{}}", "{\"a\":{\"b\":{\"c\":1}}}",
  "{\"a\":[]}", "{\"a\":1,\"b\":2}", "{\"a\\u0000b\":1}", "{\"\\u0061\":1}", "{\"a b\":1}",
  "{\"\u{e9}\":1}", "{\"a\":\"b\"}", "{\"a\":true,\"b\":[{\"c\":null}]}", "{\"A\":1,\"a\":1}",
  // Escapes.
  "\"\\\"\"", "\"\\\\\"", "\"\\/\"", "\"\\b\\f\\n\\r\\t\"", "\"\\u0000\"", "\"\\u0041\"",
  "\"\\u00e9\"", "\"\\u00E9\"", "\"\\u20AC\"", "\"\\uD83D\\uDE00\"", "\"\\ud83d\\ude00\"",
  "\"\\uDBFF\\uDFFF\"", "\"\\uD800\\uDC00\"", "\"\\uFFFF\"", "\"\\uFFFE\"", "\"\\uFEFF\"",
  "\"\\u2028\\u2029\"", "\"\\\\u0041\"", "\"\\\\n\"", "\"\\u005C\"", "\"\\u0022\"",
  // Content that needs no escape.
  "\"/\"", "\"\u{7f}\"", "\"\u{80}\"", "\"\u{7ff}\"", "\"\u{800}\"", "\"\u{ffff}\"",
  "\"\u{10000}\"", "\"\u{10ffff}\"", "\"\u{2028}\"", "\"\u{2029}\"", "\"\u{feff}\"",
  "\"e\u{301}\"", "\"\u{e000}\"", "\"\u{d7ff}\"", "\"😀\"", "\"日本語\"", "\"'\"", "\"[]{}:,\"",
  "\"1234567\"", "\"12345678\"", "\"123456789\"", "\"a string longer than one word of bytes\"",
  "\"1234567\u{e9}\"", "\"12345678\\n\"", "\"null\"", "\"//\"", "\"/* */\"",
  // A byte order mark at the very beginning is skipped.
  "\u{feff}[]", "\u{feff} 1",
]

/// Texts that the grammar refuses, and the rule that they break.
let refusedTexts: [(text: String, kind: String)] = [
  // Nothing.
  ("", "emptyInput"), (" ", "emptyInput"), ("\n\t\r ", "emptyInput"), ("\u{feff}", "emptyInput"),
  // Cut short.
  ("[", "unexpectedEnd"), ("{", "unexpectedEnd"), ("[1", "unexpectedEnd"),
  ("[1,", "unexpectedEnd"), ("{\"a\"", "unexpectedEnd"), ("{\"a\":", "unexpectedEnd"),
  ("{\"a\":1", "unexpectedEnd"), ("{\"a\":1,", "unexpectedEnd"), ("\"", "unexpectedEnd"),
  ("\"abc", "unexpectedEnd"), ("\"\\", "unexpectedEnd"), ("\"\\u", "unexpectedEnd"),
  ("\"\\u00", "unexpectedEnd"), ("\"\\uD83D", "unexpectedEnd"), ("\"\\uD83D\\", "unexpectedEnd"),
  ("\"\\uD83D\\u", "unexpectedEnd"), ("\"\\uD83D\\uDE", "unexpectedEnd"), ("-", "unexpectedEnd"),
  ("1.", "unexpectedEnd"), ("1e", "unexpectedEnd"), ("1e+", "unexpectedEnd"),
  ("1e-", "unexpectedEnd"), ("t", "unexpectedEnd"), ("tru", "unexpectedEnd"),
  ("nul", "unexpectedEnd"), ("fals", "unexpectedEnd"), ("[[]", "unexpectedEnd"),
  ("[{}", "unexpectedEnd"), ("{\"a\":{}", "unexpectedEnd"), ("[\"a\"", "unexpectedEnd"),
  // Punctuation.
  ("]", "unexpectedByte"), ("}", "unexpectedByte"), (",", "unexpectedByte"),
  (":", "unexpectedByte"), ("[}", "unexpectedByte"), ("{]", "unexpectedByte"),
  ("[1}", "unexpectedByte"), ("{\"a\":1]", "unexpectedByte"), ("[,]", "unexpectedByte"),
  ("[,1]", "unexpectedByte"), ("[1,]", "unexpectedByte"), ("[1,,2]", "unexpectedByte"),
  ("[1 2]", "unexpectedByte"), ("[\"a\" \"b\"]", "unexpectedByte"), ("[1:2]", "unexpectedByte"),
  ("{,}", "unexpectedByte"), ("{\"a\":1,}", "unexpectedByte"), ("{\"a\" 1}", "unexpectedByte"),
  ("{\"a\",1}", "unexpectedByte"), ("{\"a\"::1}", "unexpectedByte"), ("{:1}", "unexpectedByte"),
  ("{\"a\":}", "unexpectedByte"), ("{\"a\":,}", "unexpectedByte"), ("{1:1}", "unexpectedByte"),
  ("{a:1}", "unexpectedByte"), ("{'a':1}", "unexpectedByte"), ("{null:1}", "unexpectedByte"),
  ("{[]:1}", "unexpectedByte"), ("{\"a\":1 \"b\":2}", "unexpectedByte"),
  ("['a']", "unexpectedByte"),
  ("{\"a\":1,,\"b\":2}", "unexpectedByte"), ("{\"a\"}", "unexpectedByte"),
  ("(1)", "unexpectedByte"), ("[1;2]", "unexpectedByte"), ("<a>", "unexpectedByte"),
  // Comments and other dialects.
  ("// c\n1", "unexpectedByte"), ("/* c */ 1", "unexpectedByte"), ("# c\n1", "unexpectedByte"),
  ("[1, // c\n2]", "unexpectedByte"), ("1 // c", "trailingContent"), ("`a`", "unexpectedByte"),
  ("undefined", "unexpectedByte"), ("NaN", "unexpectedByte"), ("Infinity", "unexpectedByte"),
  ("None", "unexpectedByte"), ("True", "unexpectedByte"), ("NULL", "unexpectedByte"),
  // Literals.
  ("nil!", "invalidLiteral"), ("nulL", "invalidLiteral"), ("nan0", "invalidLiteral"),
  ("tRUE", "invalidLiteral"), ("trues", "trailingContent"), ("[truex]", "unexpectedByte"),
  ("fAlse", "invalidLiteral"), ("falsy!", "invalidLiteral"), ("[nul]", "invalidLiteral"),
  ("[tru]", "invalidLiteral"), ("t]", "invalidLiteral"),
  // Numbers.
  ("01", "invalidNumber"), ("00", "invalidNumber"), ("-01", "invalidNumber"),
  ("-a", "invalidNumber"), ("--1", "invalidNumber"), ("1.a", "invalidNumber"),
  ("1..2", "invalidNumber"), ("1.e5", "invalidNumber"), ("1ea", "invalidNumber"),
  ("1e+a", "invalidNumber"), ("[1.]", "invalidNumber"), ("[-]", "invalidNumber"),
  ("[1e]", "invalidNumber"), ("-.5", "invalidNumber"), ("-Infinity", "invalidNumber"),
  (".5", "unexpectedByte"), ("+1", "unexpectedByte"), ("0x1", "trailingContent"),
  ("1a", "trailingContent"), ("1 2", "trailingContent"), ("1_000", "trailingContent"),
  ("0.1.2", "trailingContent"), ("1e1.5", "trailingContent"), ("1e2e3", "trailingContent"),
  ("[1x]", "unexpectedByte"), ("[0x1]", "unexpectedByte"), ("[1+2]", "unexpectedByte"),
  ("\u{ff11}", "unexpectedByte"), ("$1", "unexpectedByte"), ("[٣]", "unexpectedByte"),
  // Strings.
  ("\"\\a\"", "invalidEscape"), ("\"\\'\"", "invalidEscape"), ("\"\\x41\"", "invalidEscape"),
  ("\"\\0\"", "invalidEscape"), ("\"\\U0041\"", "invalidEscape"), ("\"\\u004\"", "invalidEscape"),
  ("\"\\uGGGG\"", "invalidEscape"), ("\"\\u 041\"", "invalidEscape"),
  ("\"\\u+041\"", "invalidEscape"), ("\"\\\u{e9}\"", "invalidEscape"),
  ("\"\\\n\"", "invalidEscape"), ("\"\\u{41}\"", "invalidEscape"),
  ("\"\\uD83D\\uZZZZ\"", "invalidEscape"), ("\"\\uD800\"", "loneSurrogate"),
  ("\"\\uDC00\"", "loneSurrogate"), ("\"\\uD83Dx\"", "loneSurrogate"),
  ("\"\\uD83D\\n\"", "loneSurrogate"), ("\"\\uD83D\\u0041\"", "loneSurrogate"),
  ("\"\\uD83D\\uD83D\"", "loneSurrogate"), ("\"\\uDE00\\uD83D\"", "loneSurrogate"),
  ("\"\n\"", "controlCharacter"), ("\"\t\"", "controlCharacter"),
  ("\"\u{0}\"", "controlCharacter"), ("\"\u{1f}\"", "controlCharacter"),
  ("\"1234567\u{1}\"", "controlCharacter"), ("{\"a\n\":1}", "controlCharacter"),
  ("\"12345678901\u{8}\"", "controlCharacter"),
  // After the end.
  ("null null", "trailingContent"), ("[][]", "trailingContent"), ("{}{}", "trailingContent"),
  ("[],", "trailingContent"), ("[]]", "trailingContent"), ("{}}", "trailingContent"),
  ("\"a\"\"b\"", "trailingContent"), ("1\u{0}", "trailingContent"), ("{}#", "trailingContent"),
  ("[]\u{feff}", "trailingContent"),
  // Whitespace that is none.
  ("\u{a0}1", "unexpectedByte"), ("\u{b}1", "unexpectedByte"), ("\u{c}1", "unexpectedByte"),
  ("[\u{2028}]", "unexpectedByte"), ("\u{feff}\u{feff}1", "unexpectedByte"),
  ("[\u{0}]", "unexpectedByte"),
]

/// Bytes between two quotes that are not UTF-8.
let invalidUTF8: [[UInt8]] = [
  [0x80], [0xBF], [0xC0, 0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xC3, 0x28],
  [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xE1, 0x80], [0xE1, 0x80, 0x41], [0xE2, 0x28, 0xA1],
  [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xEF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
  [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x90, 0x80], [0xF1, 0x80, 0x80, 0x41], [0xF4, 0x90, 0x80, 0x80],
  [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFC], [0xFE], [0xFF],
  [0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0xFF], [0x61, 0xE9, 0x61],
]

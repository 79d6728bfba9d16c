public import Foundation

/// How dates are spelled in JSON.
public enum DateSpelling: Sendable {
  /// As `Date` itself does it: seconds since 2001, as a number.
  case plain
  /// Seconds since 1970, as a number.
  ///
  /// The sum of a date and the years between 1970 and 2001 is rounded, so that a date with a fraction
  /// of a second may be read back up to a microsecond away.
  case secondsSince1970
  /// Milliseconds since 1970, as a number; rounded as seconds are.
  case millisecondsSince1970
  /// As in `2026-11-21T15:30:00Z`, with the fraction of the second where there is one, as in
  /// `2026-11-21T15:30:00.25Z`. What is exported is read back as the same date.
  case iso8601
  /// As a formatter spells them; what its format leaves out is lost.
  case formatted(DateFormatter)
  /// As functions read and write them, each given the coder of the one value.
  case custom(
    decoding: @Sendable (any Decoder) throws -> Date,
    encoding: @Sendable (Date, any Encoder) throws -> Void)
}

public import Foundation

/// The format of dates in JSON.
public enum DateSpelling: Sendable {
  /// The `Codable` format of `Date`: seconds since 2001, as a number. Servers rarely send it.
  case plain
  /// Seconds since 1970, as a number.
  ///
  /// Because the sum of a date and the time between 1970 and 2001 is rounded, a date with a
  /// fraction of a second may be decoded with an error of up to a microsecond until the year 2200,
  /// and of up to 30 microseconds near the year 9999.
  case secondsSince1970
  /// Milliseconds since 1970, as a number; rounded like seconds.
  case millisecondsSince1970
  /// Text such as `2026-11-21T15:30:00Z`, with the fraction of the second if there is one, such as
  /// `2026-11-21T15:30:00.25Z`. An exported date is decoded as the same date.
  case iso8601
  /// The format of a formatter; components that the format omits are lost.
  case formatted(DateFormatter)
  /// A custom format, read and written by functions that receive the coder of the value.
  case custom(
    decoding: @Sendable (any Decoder) throws -> Date,
    encoding: @Sendable (Date, any Encoder) throws -> Void)
}

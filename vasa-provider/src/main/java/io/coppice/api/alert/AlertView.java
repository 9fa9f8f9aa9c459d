package io.coppice.api.alert;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An alert: something that needs a person, or needed one.
///
/// @param severity `warning` or `critical`
/// @param state `active`, `acknowledged`, `muted` or `resolved`
/// @param about what it is about
/// @param message key of its texts
/// @param cause what is wrong, in one sentence
/// @param effect what that means, in one sentence
/// @param remedy what to do, in one sentence
/// @param since when it was found
/// @param resolved when its cause was gone; null while it is there
/// @param acknowledgement null for none
/// @param mutedUntil null if it is not muted
public record AlertView(
    UUID id,
    String severity,
    String state,
    AlertObject about,
    String message,
    String cause,
    String effect,
    String remedy,
    Instant since,
    @Nullable Instant resolved,
    @Nullable AlertAcknowledgement acknowledgement,
    @Nullable Instant mutedUntil) {

  /// The object that an alert is about.
  ///
  /// @param kind `system`, `container`, `volume`, `certificate`, `alert-target`,
  ///   `replication-group` or `peer`
  /// @param name null without one
  /// @param container storage container that it is, or is in; null for none
  public record AlertObject(
      String kind, String id, @Nullable String name, @Nullable UUID container) {}

  /// @param by name of a token
  /// @param note null without one
  public record AlertAcknowledgement(String by, Instant at, @Nullable String note) {}
}

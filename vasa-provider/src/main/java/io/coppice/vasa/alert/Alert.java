package io.coppice.vasa.alert;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An alert: something that needs a person, or needed one.
///
/// @param source the source that found it
/// @param key of its cause, as [AlertFinding] has it; of alerts that are not resolved each has
///   another one
/// @param message last part of the key of its texts
/// @param announced whether it was given to delivery at its severity
/// @param resolved when its cause was gone; null while it is there
/// @param acknowledgement null for none
/// @param mutedUntil end of its silence; null for none
public record Alert(
    UUID id,
    String source,
    String key,
    AlertSeverity severity,
    AlertSubject about,
    String message,
    Map<String, String> parameters,
    Instant since,
    boolean announced,
    @Nullable Instant resolved,
    @Nullable Acknowledgement acknowledgement,
    @Nullable Instant mutedUntil) {

  public Alert {
    parameters = Map.copyOf(parameters);
  }

  /// @param by name of a token
  /// @param note what they wrote; null for nothing
  public record Acknowledgement(String by, Instant at, @Nullable String note) {}

  public AlertState state(Instant now) {
    if (resolved != null) {
      return AlertState.RESOLVED;
    }
    if (mutedUntil != null && mutedUntil.isAfter(now)) {
      return AlertState.MUTED;
    }
    return acknowledgement == null ? AlertState.ACTIVE : AlertState.ACKNOWLEDGED;
  }

  /// The same alert as its source finds it now. If it has become worse, it is news again: it loses
  /// its acknowledgement.
  Alert found(AlertFinding finding) {
    boolean worse = finding.severity().compareTo(severity) > 0;
    return new Alert(
        id,
        source,
        key,
        finding.severity(),
        finding.about(),
        finding.message(),
        finding.parameters(),
        since,
        announced && !worse,
        resolved,
        worse ? null : acknowledgement,
        mutedUntil);
  }

  Alert asAnnounced() {
    return with(true, resolved, acknowledgement, mutedUntil);
  }

  Alert resolvedAt(Instant at) {
    return with(announced, at, acknowledgement, mutedUntil);
  }

  Alert acknowledged(Acknowledgement given) {
    return with(announced, resolved, given, mutedUntil);
  }

  Alert muted(@Nullable Instant until) {
    return with(announced, resolved, acknowledgement, until);
  }

  private Alert with(
      boolean told,
      @Nullable Instant gone,
      @Nullable Acknowledgement known,
      @Nullable Instant silent) {
    return new Alert(
        id, source, key, severity, about, message, parameters, since, told, gone, known, silent);
  }
}

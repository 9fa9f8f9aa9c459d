package io.coppice.vasa.approval;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A change that somebody asked for, and what became of it.
///
/// @param action which kind of change it is
/// @param value what is to be set
/// @param expires when it can be approved no more, by the time that has passed
/// @param ended who approved or refused it; null while nobody has
/// @param endedAt when that was
public record Approval(
    UUID id,
    String action,
    String value,
    State state,
    Approver asked,
    Instant askedAt,
    Instant expires,
    @Nullable Approver ended,
    @Nullable Instant endedAt) {

  /// A state of an approval.
  public enum State {
    OPEN,
    APPROVED,
    REFUSED,
    /// Nobody approved or refused it in time.
    EXPIRED
  }
}

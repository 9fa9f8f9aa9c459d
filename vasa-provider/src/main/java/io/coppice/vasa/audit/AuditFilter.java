package io.coppice.vasa.audit;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A choice of entries; null means any.
///
/// @param actor account, id of the token, or channel
/// @param since earliest time
/// @param until first time that is too late
public record AuditFilter(
    @Nullable String actor,
    @Nullable String action,
    @Nullable Outcome outcome,
    @Nullable String object,
    @Nullable Instant since,
    @Nullable Instant until) {

  /// All entries.
  public static final AuditFilter ALL = new AuditFilter(null, null, null, null, null, null);
}

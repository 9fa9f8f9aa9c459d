package io.coppice.api.account;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A change that takes two accounts.
///
/// @param state `open`, `approved`, `refused` or `expired`
/// @param endedBy who approved or refused it; null while nobody has
/// @param ended when that was
public record ApprovalView(
    UUID id,
    String action,
    String value,
    String state,
    String askedBy,
    Instant asked,
    Instant expires,
    @Nullable String endedBy,
    @Nullable Instant ended) {}

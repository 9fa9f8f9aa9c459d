package io.coppice.api.account;

import java.time.Instant;
import java.util.UUID;

/// A session of somebody, as administrators see it.
///
/// @param address from which it was opened
/// @param used when it was used last, to a minute
public record BrowserSession(
    UUID id,
    String name,
    String source,
    String address,
    Instant opened,
    Instant used,
    Instant endsAtLatest) {}

package io.coppice.api.host;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A client of VASA that was refused.
///
/// @param subject of the client's certificate; null if it showed none, like the next two
/// @param reason of the last refusal, one sentence
/// @param times how often it was refused
public record RefusedClient(
    String address,
    @Nullable String subject,
    @Nullable String issuer,
    @Nullable Instant validUntil,
    String reason,
    long times,
    Instant first,
    Instant last) {}

package io.coppice.api.host;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A client of VASA that was refused.
///
/// @param subject of the client's certificate; null if it showed none, like the next two
/// @param reason of the last refusal, one sentence
/// @param remedy what to do
/// @param times how often it was refused
public record RefusedClient(
    String address,
    @Nullable String subject,
    @Nullable String issuer,
    @Nullable Instant validUntil,
    String reason,
    String remedy,
    long times,
    Instant first,
    Instant last) {}

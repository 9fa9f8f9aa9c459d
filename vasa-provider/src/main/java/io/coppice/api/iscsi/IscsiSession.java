package io.coppice.api.iscsi;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An open session.
///
/// @param isid 12 hex digits
/// @param target its iSCSI name; null for a discovery session
/// @param portal `address:port` of ours
/// @param address `address:port` of the initiator
/// @param since its last login
/// @param headerDigest whether headers carry a CRC32C
/// @param dataDigest whether data carries a CRC32C
/// @param roundTrip microseconds until it answered our last ping; null if none has been answered
public record IscsiSession(
    String initiator,
    String isid,
    @Nullable String target,
    String portal,
    String address,
    Instant since,
    boolean headerDigest,
    boolean dataDigest,
    @Nullable Long roundTrip) {}

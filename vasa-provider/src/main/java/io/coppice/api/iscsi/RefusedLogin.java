package io.coppice.api.iscsi;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Logins that were not let in, all of one address with the same names and reason.
///
/// @param address of the initiator, without its port
/// @param portal `address:port` of ours that the last one reached
/// @param initiator the name that it claimed; null if it said none
/// @param target the name that it wanted; null if it said none, as for discovery
/// @param status of the answer, 4 hex digits (RFC 7143 §11.13.5); null if there was none
/// @param sentence what was wrong
/// @param remedy what to do
/// @param times how many there were
public record RefusedLogin(
    String address,
    String portal,
    @Nullable String initiator,
    @Nullable String target,
    @Nullable String status,
    String sentence,
    String remedy,
    long times,
    Instant first,
    Instant last) {}

package io.coppice.iscsi.session;

import io.coppice.scsi.transport.InitiatorPort;
import io.coppice.scsi.transport.SessionOrigin;
import java.time.Duration;
import java.util.Optional;

/// The state of an open session at one moment.
///
/// @param target its name; empty for a discovery session
/// @param origin the addresses of its connection
/// @param age time since the last login of its initiator
/// @param headerDigest whether headers carry a CRC32C
/// @param dataDigest whether data carries a CRC32C
/// @param roundTrip time from our last NOP-In that was answered to its answer
public record SessionState(
    InitiatorPort initiator,
    Optional<String> target,
    SessionOrigin origin,
    Duration age,
    boolean headerDigest,
    boolean dataDigest,
    Optional<Duration> roundTrip) {}

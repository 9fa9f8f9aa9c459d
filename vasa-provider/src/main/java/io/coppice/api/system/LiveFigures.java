package io.coppice.api.system;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The figures of one object right now, as a stream sends them. What does not apply is absent.
///
/// @param at end of the time that they are about
/// @param of what they are of, in the words in which it was asked for
/// @param iops commands in a second
/// @param bandwidth bytes in a second
/// @param latency mean time of a command from its arrival to its answer, in microseconds
/// @param device part of that mean, of both kinds, for the device and the work for the command
/// @param queue part for waiting for others
/// @param limit part for being held back by a limit
/// @param used bytes: of the system as `/system` has them, otherwise stored for the volumes, shared
///   or not, and set aside for them; null once the pool has stopped
/// @param free bytes; null unless it is of the system
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LiveFigures(
    Instant at,
    String of,
    ReadWrite iops,
    ReadWrite bandwidth,
    ReadWrite latency,
    long device,
    long queue,
    long limit,
    @Nullable Long used,
    @Nullable Long free) {}

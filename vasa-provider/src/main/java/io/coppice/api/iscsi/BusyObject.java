package io.coppice.api.iscsi;

import org.jspecify.annotations.Nullable;

/// The load of a volume or virtual machine, in rates.
///
/// @param id of it
/// @param name that its host or an administrator gave it; null if it has none
/// @param vm the virtual machine that a volume was stored for, or the machine itself; null for none
/// @param iops reads and writes in a second
/// @param bandwidth bytes in a second
/// @param latency mean time of a command from its arrival to its answer, in microseconds
/// @param device its part for the device and the work for the command
/// @param queue its part for waiting for others
/// @param limit its part for being held back by a limit
public record BusyObject(
    String id,
    @Nullable String name,
    @Nullable String vm,
    double iops,
    double bandwidth,
    long latency,
    long device,
    long queue,
    long limit) {}

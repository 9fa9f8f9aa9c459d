package io.coppice.bench.engine;

/// What a run of a [Load] gave.
///
/// @param perSecond I/Os that ended each second
/// @param deviceBytesWritten bytes that the kernel counts as written by the process, per written
///   I/O; 0 if nothing was written
/// @param cpuMicros CPU time of the process in microseconds per I/O, the load's own part included
record Reading(double perSecond, double deviceBytesWritten, double cpuMicros) {}

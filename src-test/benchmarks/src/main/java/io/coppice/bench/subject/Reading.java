package io.coppice.bench.subject;

/// The result of a run of a [Load].
///
/// @param perSecond I/Os that ended each second
/// @param bytesWritten payload of the writes that ended
/// @param cpuMicros CPU time of the process in microseconds per I/O, the load's own part included
/// @param p99Micros time within which 99 of 100 I/Os ended, in microseconds; 0 if not known
public record Reading(double perSecond, long bytesWritten, double cpuMicros, double p99Micros) {}

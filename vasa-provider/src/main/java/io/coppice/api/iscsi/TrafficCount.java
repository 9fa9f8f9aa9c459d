package io.coppice.api.iscsi;

/// Commands of one direction, counted.
///
/// @param commands how many were answered
/// @param bytes that they were asked to move
/// @param time from the begin of each to its answer, added up, in microseconds
public record TrafficCount(long commands, long bytes, long time) {}

package io.coppice.api.system;

/// A figure of reads, and the same one of writes.
public record ReadWrite(double read, double write) {}

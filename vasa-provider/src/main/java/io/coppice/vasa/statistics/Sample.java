package io.coppice.vasa.statistics;

import io.coppice.scsi.unit.Traffic;
import java.time.Instant;

/// The counts of one entity at one moment.
///
/// @param storedBytes bytes that it occupies in the pool, shared or not
public record Sample(Traffic traffic, long storedBytes, Instant at) {}

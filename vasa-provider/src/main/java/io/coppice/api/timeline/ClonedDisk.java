package io.coppice.api.timeline;

import java.util.UUID;

/// The clone of a disk.
///
/// @param of the vVol that it was made from
public record ClonedDisk(UUID id, String name, UUID of) {}

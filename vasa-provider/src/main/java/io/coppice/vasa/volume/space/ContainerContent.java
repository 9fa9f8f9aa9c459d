package io.coppice.vasa.volume.space;

/// Content of a container.
///
/// @param volumes snapshots included, also those that are prepared only
/// @param machines virtual machines with a volume in it
/// @param reclaimable bytes that its part of the recycle bin gives back
public record ContainerContent(
    ContainerSpace space, long volumes, long machines, long reclaimable) {}

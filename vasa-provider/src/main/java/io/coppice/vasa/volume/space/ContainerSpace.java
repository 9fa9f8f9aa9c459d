package io.coppice.vasa.volume.space;

/// Space of a container, or of one profile's volumes in it, in bytes (VASA 2.0
/// ContainerSpaceStats).
///
/// | Component | Meaning |
/// |---|---|
/// | `limit` | the container's quota |
/// | `provisioned` | sizes of the volumes together |
/// | `used` | bytes that they occupy: see [SpaceStatistics] |
/// | `free` | bytes that may still be written: never more than the pool has |
/// | `physicalTotal`, `physicalUsed`, `physicalFree` | the pool that the container lives in |
public record ContainerSpace(
    long limit,
    long provisioned,
    long used,
    long free,
    long physicalTotal,
    long physicalUsed,
    long physicalFree) {}

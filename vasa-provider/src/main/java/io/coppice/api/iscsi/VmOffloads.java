package io.coppice.api.iscsi;

import org.jspecify.annotations.Nullable;

/// Offloaded commands to the vVols of one virtual machine.
///
/// @param vm null: of all vVols that were stored for none
public record VmOffloads(@Nullable String vm, @Nullable String name, OffloadCounts counts) {}

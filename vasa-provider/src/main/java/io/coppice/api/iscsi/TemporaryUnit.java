package io.coppice.api.iscsi;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A logical unit of a temporary export.
///
/// @param snapshot what it shows
/// @param vvol what is served: the snapshot, or its clone
/// @param lun null if somebody has ended its export
/// @param naa as the unit names itself to initiators (VPD page 83h)
public record TemporaryUnit(UUID snapshot, UUID vvol, @Nullable Integer lun, String naa) {}

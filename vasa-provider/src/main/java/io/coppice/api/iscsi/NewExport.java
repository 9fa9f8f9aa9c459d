package io.coppice.api.iscsi;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An export as a client asks for it.
///
/// @param readOnly null: true for a snapshot, false for anything else
/// @param lun null: the next one
/// @param force true takes a number that rests, if no session holds it; needs the role `admin`
public record NewExport(
    @Nullable UUID vvol,
    @Nullable List<String> initiators,
    @Nullable Boolean readOnly,
    @Nullable Integer lun,
    @Nullable Boolean force) {}

package io.coppice.api.iscsi;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// An export that has ended: no command of its initiators runs any more.
///
/// @param restsUntil the number names no other volume for these initiators before this time
/// @param sessions open sessions that could reach the unit: the number rests as long as they are
///   open
public record EndedExport(
    UUID vvol, String naa, int lun, Instant restsUntil, List<HoldingSession> sessions) {}

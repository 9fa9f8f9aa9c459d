package io.coppice.scsi.directory;

import io.coppice.scsi.transport.OpenSession;
import java.time.Instant;
import java.util.List;

/// An export that has ended.
///
/// @param export the export as it was
/// @param restsUntil the earliest time at which its number may name another volume for its
///   initiators, by the clock of now
/// @param sessions those that could reach the unit and are still open. Their hosts may not have
///   noticed the end, so the number also rests until these sessions have ended
public record FormerExport(Export export, Instant restsUntil, List<OpenSession> sessions) {

  public FormerExport {
    sessions = List.copyOf(sessions);
  }
}

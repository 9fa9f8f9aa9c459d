package io.coppice.vasa.replication.runbook;

import io.coppice.vasa.export.ExportAudience;
import io.coppice.vasa.fault.VasaException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The hosts that get the volumes of a replication group once they are here.
///
/// @param hostGroup a group of plain hosts; null if `host` is one
/// @param host a plain host; null if `hostGroup` is one
/// @param lun number of the first volume, 0 to 16383; null for the next free ones
public record RunbookExport(
    UUID group, @Nullable UUID hostGroup, @Nullable UUID host, @Nullable Integer lun) {

  private static final String FIELD = "exports";

  /// @throws VasaException (InvalidArgument) if it names no host or two, or the number is none
  public RunbookExport {
    if ((hostGroup == null) == (host == null)) {
      throw VasaException.invalidArgument(
              "expected either a host group or a host of an export of group %s, got %s"
                  .formatted(group, host == null ? "neither" : "both"))
          .about(FIELD);
    }
    if (lun != null && (lun < 0 || lun > RunbookBounds.LARGEST_LUN)) {
      throw VasaException.invalidArgument(
              "expected a LUN of 0 to %d, got %d".formatted(RunbookBounds.LARGEST_LUN, lun))
          .about(FIELD);
    }
  }

  ExportAudience audience() {
    return new ExportAudience(
        List.of(),
        host == null ? List.of() : List.of(host),
        hostGroup == null ? List.of() : List.of(hostGroup));
  }
}

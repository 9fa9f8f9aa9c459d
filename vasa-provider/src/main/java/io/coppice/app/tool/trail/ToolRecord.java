package io.coppice.app.tool.trail;

import io.coppice.vasa.audit.AuditRecord;
import io.coppice.vasa.audit.AuditSpool;
import io.coppice.vasa.audit.Author;
import io.coppice.vasa.audit.Channel;
import io.coppice.vasa.audit.Detail;
import io.coppice.vasa.audit.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// The record that a tool which changes something leaves in the home for the audit trail. The next
/// provider takes it.
public final class ToolRecord {

  private ToolRecord() {}

  /// A record of the account that runs this process.
  public static AuditRecord of(String tool, Outcome outcome, List<Detail> details) {
    return new AuditRecord(
        UUID.randomUUID(),
        Instant.now(),
        Channel.TOOL,
        new Author(System.getProperty("user.name", "unknown"), null, null, null),
        tool,
        null,
        null,
        outcome,
        null,
        details);
  }

  /// Leaves a record, stable on return. A home that does not exist gets none: nothing was changed
  /// there.
  ///
  /// @throws IOException if it cannot be written
  public static void leave(Path home, AuditRecord recorded) throws IOException {
    if (Files.isDirectory(home)) {
      AuditSpool.leave(home.resolve("audit"), recorded);
    }
  }
}

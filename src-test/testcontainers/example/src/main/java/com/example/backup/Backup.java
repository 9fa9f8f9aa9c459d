package com.example.backup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// A backup of vVols into files: each is snapshotted, the snapshot is exported to the initiator of
/// this machine and read from there, and then both are gone again.
public record Backup(RestClient rest, Initiator initiator) {

  /// The iSCSI initiator of the machine that makes backups.
  public interface Initiator {

    /// Its iSCSI name.
    String name();

    /// Reads a whole disk into a file.
    void copy(String target, int lun, Path file) throws IOException;
  }

  /// Writes into `file` what a vVol holds now. The virtual machine may run.
  public void save(String vvol, Path file) throws IOException {
    String snapshot =
        rest.post("vvols/" + vvol + "/snapshots?wait=60s", Map.of("name", "backup"))
            .at("/result/id")
            .asString();
    try {
      copy(snapshot, file);
    } finally {
      rest.delete("snapshots/" + snapshot);
    }
  }

  private void copy(String snapshot, Path file) throws IOException {
    JsonNode export =
        rest.post("exports", Map.of("vvol", snapshot, "initiators", List.of(initiator.name())));
    try {
      initiator.copy(export.get("target").asString(), export.get("lun").asInt(), file);
    } finally {
      rest.delete("exports/" + snapshot);
    }
  }
}

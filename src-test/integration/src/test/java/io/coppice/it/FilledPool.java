package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.iscsi.WireCounters;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.Lun;
import io.coppice.driver.scsi.ScsiDisk;
import io.coppice.harness.RestClient;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.JsonNode;

/// A pool that locked copies fill: a plain volume is written over iSCSI in laps, of each of which a
/// locked snapshot is kept. Beside it stands a ballast that is not locked.
final class FilledPool implements AutoCloseable {

  private static final int MIB = 1 << 20;
  private static final int LAP = 48 * MIB;
  private static final int STEP = 4 * MIB;
  private static final long BALLAST = 1_000_000; // a number of content
  private static final String INITIATOR = "iqn.2026-11.test.host:full";

  private final RestClient rest;
  private final String container;
  private final String volume;
  private final String ballast;
  private final List<String> locked = new ArrayList<>();
  private final IscsiPath path;
  private final ScsiDisk disk;
  private long written; // steps

  FilledPool(RunningProvider provider, String container) {
    this.rest = provider.rest();
    this.container = container;
    volume = volume("full");
    ballast = volume("ballast");
    JsonNode export = export(volume, false);
    path =
        IscsiPath.open(
            provider.process().portal(),
            export.get("target").asString(),
            LoginSettings.of(INITIATOR, 1),
            new WireCounters());
    disk = open(export);
    ScsiDisk other = open(export(ballast, false));
    for (int at = 0; at < LAP; at += STEP) {
      other.write(at, content(BALLAST + at));
    }
  }

  private String volume(String name) {
    return rest.post(
            "volumes",
            "{\"name\": \"%s\", \"size\": %d, \"container\": \"%s\"}"
                .formatted(name, LAP, container))
        .get("id")
        .asString();
  }

  private JsonNode export(String id, boolean readOnly) {
    return rest.post(
        "exports",
        "{\"vvol\": \"%s\", \"initiators\": [\"%s\"], \"readOnly\": %s}"
            .formatted(id, INITIATOR, readOnly));
  }

  private ScsiDisk open(JsonNode export) {
    return ScsiDisk.open(new LogicalUnit(path, Lun.flat(export.get("lun").asInt())));
  }

  private static ByteBuffer content(long number) {
    byte[] bytes = new byte[STEP];
    new Random(number).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  /// Writes a lap more and locks a copy of it.
  void lap() {
    for (int at = 0; at < LAP; at += STEP) {
      write(at);
    }
    String snapshot =
        rest.post("vvols/" + volume + "/snapshots?wait=30s", "{\"name\": \"lap\"}")
            .at("/result/id")
            .asString();
    rest.post("snapshots/" + snapshot + "/lock", "{\"lockFor\": \"P7D\"}");
    locked.add(snapshot);
  }

  /// Writes other content.
  private void write(int at) {
    disk.write(at, content(written));
    written++;
  }

  /// The locked copies, the oldest first.
  List<String> locked() {
    return List.copyOf(locked);
  }

  /// Each locked copy holds its lap, and the volume what was acknowledged last.
  void requireKept() {
    for (int lap = 0; lap < locked.size(); lap++) {
      ScsiDisk copy = open(export(locked.get(lap), true));
      for (int step = 0; step < LAP / STEP; step++) {
        requireContent(copy, step, (long) lap * LAP / STEP + step);
      }
      rest.delete("exports/" + locked.get(lap));
    }
    int ofLap = (int) (written % (LAP / STEP));
    for (int step = 0; step < ofLap; step++) {
      requireContent(disk, step, written - ofLap + step);
    }
    for (int step = ofLap + 1; step < LAP / STEP; step++) { // the one between was refused in part
      requireContent(disk, step, written - ofLap - LAP / STEP + step);
    }
  }

  private static void requireContent(ScsiDisk disk, int step, long number) {
    ByteBuffer came = ByteBuffer.allocate(STEP);
    disk.read((long) step * STEP, came);
    assertThat(came.flip()).as("content %d", number).isEqualTo(content(number));
  }

  /// Deletes the ballast for good and writes again.
  void makeRoom() {
    rest.delete("exports/" + ballast);
    rest.delete("volumes/" + ballast + "?purge=true");
    disk.write(0, content(BALLAST));
    ByteBuffer came = ByteBuffer.allocate(STEP);
    disk.read(0, came);
    assertThat(came.flip()).isEqualTo(content(BALLAST));
  }

  @Override
  public void close() {
    path.close();
  }
}

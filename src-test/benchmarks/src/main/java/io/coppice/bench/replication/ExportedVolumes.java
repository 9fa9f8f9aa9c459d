package io.coppice.bench.replication;

import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.iscsi.WireCounters;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.Lun;
import io.coppice.sites.Site;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Volumes that one initiator reaches through one session.
record ExportedVolumes(IscsiPath path, List<String> ids, List<LogicalUnit> units)
    implements AutoCloseable {

  private static final String INITIATOR = "iqn.2026-11.test.bench:replication";

  /// Makes new volumes.
  static ExportedVolumes make(Site site, String container, int count, long bytes) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add(
          site.rest()
              .post(
                  "volumes",
                  "{\"name\": \"%s\", \"size\": %d, \"container\": \"%s\"}"
                      .formatted(nameOf(i), bytes, container))
              .get("id")
              .asString());
    }
    return open(site, ids);
  }

  static String nameOf(int number) {
    return "bench-%03d".formatted(number);
  }

  /// Exports volumes that there are.
  static ExportedVolumes open(Site site, List<String> ids) {
    List<Integer> numbers = new ArrayList<>();
    String target = "";
    for (String id : ids) {
      JsonNode export =
          site.rest()
              .post(
                  "exports",
                  "{\"vvol\": \"%s\", \"initiators\": [\"%s\"], \"readOnly\": false}"
                      .formatted(id, INITIATOR));
      target = export.get("target").asString();
      numbers.add(export.get("lun").asInt());
    }
    IscsiPath path =
        IscsiPath.open(
            site.process().portal(),
            target,
            LoginSettings.of(INITIATOR, 1).withCommandTimeout(Duration.ofMinutes(2)),
            new WireCounters());
    List<LogicalUnit> units =
        numbers.stream().map(number -> new LogicalUnit(path, Lun.flat(number))).toList();
    units.forEach(LogicalUnit::clearAttentions);
    return new ExportedVolumes(path, List.copyOf(ids), units);
  }

  @Override
  public void close() {
    path.close();
  }
}

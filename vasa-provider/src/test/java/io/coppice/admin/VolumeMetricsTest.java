package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.CountedDatabase.Cost;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The metrics of each volume: what they tell, and who sees which.
class VolumeMetricsTest {

  private static final int BLOCK = 4096;
  private static final int MANY = 10_000;
  private static final String INITIATOR = "iqn.2026-11.test:h";

  @Test
  void eachVolumeHasItsSpaceItsTrafficAndItsMachine() throws Exception {
    try (AdminServer server = new AdminServer()) {
      StorageContainer gold = server.control.container("gold");
      ControlPlane.made(
          server.control.volumes.create(
              new NewVolume(
                  gold.id(),
                  VolumeType.CONFIG,
                  VolumeOrigin.HOST,
                  null,
                  ControlPlane.GIB,
                  Map.of("VMW_VmID", "vm-1", "VMW_VVolName", "web"))));
      VolumeId disk =
          server.control.volume(
              gold,
              ControlPlane.GIB,
              Map.of("VMW_VmID", "vm-1", "VMW_VVolName", "a \"quoted\"\nname \\ é"));
      server.control.write(disk, 0, 3 * BLOCK, 1);
      VolumeId snapshot = server.control.snapshot(disk);
      server.control.write(disk, 0, BLOCK, 2);
      OffloadsTest.export(server, disk, INITIATOR);
      OffloadsTest.send(server, INITIATOR, disk, "28000000000000000800"); // reads 8 blocks

      Map<String, Double> figures = figures(server, AdminServer.ADMIN);

      String labels =
          "container=\"%s\",kind=\"volume\",name=\"a \\\"quoted\\\"\\nname \\\\ é\",vm=\"vm-1\","
              + "vm_name=\"web\",volume=\"%s\"";
      String own = labels.formatted(gold.id(), disk);
      String read = own.replace("vm=", "op=\"read\",vm=");
      assertThat(figures)
          .containsEntry("coppice_volume_mapped_bytes{%s}".formatted(own), 3.0 * BLOCK)
          .containsEntry("coppice_volume_unique_bytes{%s}".formatted(own), 1.0 * BLOCK)
          .containsEntry("coppice_volume_io_total{%s}".formatted(read), 1.0)
          .containsEntry("coppice_volume_bytes_total{%s}".formatted(read), 8.0 * 512);
      assertThat(figures.keySet())
          .filteredOn(name -> name.contains(snapshot.toString()))
          .as("space of the snapshot, and no traffic")
          .hasSize(2)
          .allMatch(name -> name.contains("kind=\"snapshot\""))
          .as("it names no machine itself, but its volume does")
          .allMatch(name -> name.contains("vm=\"vm-1\",vm_name=\"web\""));
    }
  }

  @Test
  void aTokenSeesItsContainersOnly() {
    try (TwoContainers two = new TwoContainers()) {
      String mine = two.server.volume(two.own, "mine");
      String hidden = two.server.volume(two.other, "hidden");

      assertThat(figures(two.server, two.token).keySet())
          .anyMatch(name -> name.contains(mine))
          .noneMatch(name -> name.contains(hidden) || name.contains(two.other));
      assertThat(figures(two.server, AdminServer.ADMIN).keySet())
          .anyMatch(name -> name.contains(mine))
          .anyMatch(name -> name.contains(hidden));
      assertThat(
              Scrape.of(two.server.metrics(two.token, "metrics")).figures().keySet().stream()
                  .filter(name -> name.startsWith("coppice_container")))
          .as("containers among the metrics of the whole system")
          .hasSize(3)
          .allMatch(name -> name.contains(two.own));
    }
  }

  @Test
  void aTokenIsNeededWhateverTheSettingSays() {
    try (AdminServer server = new AdminServer("--without-token=true")) {
      assertThat(server.metrics("", "metrics/volumes").status()).isEqualTo(401);
    }
  }

  @Test
  void theDatabaseIsNotNeededAndOfAStoppedPoolTheTrafficIsKnown() {
    try (AdminServer server = new AdminServer()) {
      VolumeId volume = VolumeId.parse(server.volume(server.container("gold"), "disk"));
      OffloadsTest.export(server, volume, INITIATOR);
      server.database.cutOff = true;
      assertThat(figures(server, AdminServer.ADMIN).keySet())
          .hasSize(12)
          .allMatch(name -> name.contains(volume.toString()));
      ((MemoryEngine) server.control.engine).stop("The device is gone.");

      assertThat(figures(server, AdminServer.ADMIN).keySet())
          .hasSize(10)
          .allMatch(name -> name.contains(volume.toString()) && name.contains("op="));
    }
  }

  @Test
  void thousandsOfVolumesCostTheDatabaseNothing() {
    try (AdminServer server = new AdminServer("--patience=30")) { // the pool in memory is slow
      StorageContainer gold = server.control.container("gold");
      for (int i = 0; i < MANY; i++) {
        server.control.engine.create(
            OperationId.random(),
            new VolumeSpec(
                VolumeId.random(),
                ControlPlane.GIB,
                false,
                Map.of("coppice.container", gold.id().toString(), "vasa.VMW_VVolName", "v" + i)));
      }

      Cost cost =
          server.counted.of(() -> assertThat(figures(server, AdminServer.ADMIN)).hasSize(2 * MANY));

      assertThat(cost.statements()).isZero();
    }
  }

  private static Map<String, Double> figures(AdminServer server, String token) {
    return Scrape.of(server.metrics(token, "metrics/volumes")).figures();
  }
}

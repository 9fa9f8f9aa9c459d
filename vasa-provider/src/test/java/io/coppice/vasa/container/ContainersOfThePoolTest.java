package io.coppice.vasa.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.coppice.engine.OperationId;
import io.coppice.engine.RecordChange;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.viewer.Viewer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// The pool remembers the containers, whatever becomes of the database.
class ContainersOfThePoolTest {

  private static final String PREFIX = "control/container/";

  private final ControlPlane plane = new ControlPlane();

  @Test
  void containersComeBackWithNameAndQuotaWhenTheDatabaseIsLost() {
    StorageContainer gold = plane.container("gold");
    StorageContainer empty = plane.containers.create("名 前 with spaces", 5 << 20);
    plane.containers.update(gold.id(), "gold two", 7L << 30);
    StorageContainer gone = plane.container("gone");
    plane.containers.delete(gone.id());
    VolumeId volume = plane.volume(gold, 1 << 20);

    ControlPlane rebuilt = rebuilt();

    assertThat(rebuilt.containers.list())
        .containsExactlyInAnyOrder(
            new StorageContainer(gold.id(), "gold two", 7L << 30, gold.created()), empty);
    assertThat(rebuilt.volumes.find(volume).orElseThrow().container()).isEqualTo(gold.id());
  }

  @Test
  void aContainerThatOnlyItsVolumesNameGetsItsIdForAName() {
    StorageContainer gold = plane.container("gold");
    plane.volume(gold, 1 << 20);
    forget(gold.id());

    assertThat(rebuilt().containers.require(gold.id()).name()).isEqualTo("adopted-" + gold.id());
  }

  @Test
  void whatACrashLeftBetweenRowAndRecordIsMended() {
    StorageContainer gold = plane.container("gold");
    forget(gold.id());

    plane.reconciliation.atStart();

    assertThat(rebuilt().containers.require(gold.id()).name()).isEqualTo("gold");
  }

  @Test
  void aNameThatIsTakenMeanwhileIsNotTakenTwice() {
    StorageContainer gold = plane.container("gold");
    ControlPlane older = plane.withoutItsDatabase();
    StorageContainer other = older.container("gold");

    older.reconciliation.atStart();

    assertThat(older.containers.require(other.id()).name()).isEqualTo("gold");
    assertThat(older.containers.require(gold.id()).name()).isEqualTo("adopted-" + gold.id());
  }

  @Test
  void aRecordThatCannotBeReadDisturbsNothing() {
    change(
        new RecordChange.Put(PREFIX + "no-id", "5 name"),
        new RecordChange.Put(PREFIX + UUID.randomUUID(), "5 yesterday name"),
        new RecordChange.Put(PREFIX + UUID.randomUUID(), "5 name"));
    StorageContainer gold = plane.container("gold");

    plane.reconciliation.atStart();

    assertThat(plane.containers.list()).extracting(StorageContainer::id).containsExactly(gold.id());
  }

  @Test
  void aContainerThatIsNotEmptyStaysInThePoolToo() {
    StorageContainer gold = plane.container("gold");
    plane.volume(gold, 1 << 20);

    assertThatExceptionOfType(VasaException.class)
        .isThrownBy(() -> plane.containers.delete(gold.id()));

    assertThat(plane.engine.records().find(PREFIX + gold.id()))
        .contains("%d %s gold".formatted(gold.quotaInBytes(), gold.created()));
  }

  /// The registrations are lost with the database: better nobody than everybody.
  @Test
  void aLimitedContainerIsOfferedToNobodyWhenTheDatabaseIsLost() throws Exception {
    StorageContainer gold = plane.container("gold");
    StorageContainer open = plane.container("open");
    UUID registration = registered(plane);
    plane.containers.limit(gold.id(), Set.of(registration));
    plane.containers.limit(open.id(), Set.of(registration));
    plane.containers.offerToAll(open.id());
    assertThat(seen(plane, registration)).contains(gold.id(), open.id());
    assertThat(seen(plane, registered(plane))).containsExactly(open.id());

    ControlPlane rebuilt = rebuilt();

    assertThat(seen(rebuilt, registered(rebuilt))).containsExactly(open.id());
    assertThat(rebuilt.containers.limits()).isEqualTo(Map.of(gold.id(), List.of()));
    rebuilt.reconciliation.atStart();
    assertThat(rebuilt.containers.list()).hasSize(2);
  }

  @Test
  void whatACrashLeftBetweenALimitAndItsRecordIsMended() throws Exception {
    StorageContainer gold = plane.container("gold");
    plane.containers.limit(gold.id(), Set.of(registered(plane)));
    change(new RecordChange.Remove("control/container-limit/" + gold.id()));

    plane.reconciliation.atStart();

    ControlPlane rebuilt = rebuilt();
    assertThat(seen(rebuilt, registered(rebuilt))).isEmpty();
  }

  private static UUID registered(ControlPlane where) {
    return where
        .jdbc
        .sql(
            """
            INSERT INTO trust_set (id, created, registered, registered_from)
            VALUES (gen_random_uuid(), now(), now(), '192.0.2.7') RETURNING id
            """)
        .query(UUID.class)
        .single();
  }

  private static List<UUID> seen(ControlPlane where, UUID registration) throws Exception {
    return Viewer.call(
        registration, () -> where.containers.list().stream().map(StorageContainer::id).toList());
  }

  private ControlPlane rebuilt() {
    ControlPlane rebuilt = plane.withoutItsDatabase();
    rebuilt.reconciliation.atStart();
    return rebuilt;
  }

  private void forget(UUID container) {
    change(new RecordChange.Remove(PREFIX + container));
  }

  private void change(RecordChange... changes) {
    plane.engine.records().apply(OperationId.random(), List.of(changes));
  }
}

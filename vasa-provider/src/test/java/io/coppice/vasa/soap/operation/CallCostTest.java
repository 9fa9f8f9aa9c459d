package io.coppice.vasa.soap.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.coppice.vasa.event.Alarms;
import io.coppice.vasa.event.EventSettings;
import io.coppice.vasa.inventory.Inventory;
import io.coppice.vasa.inventory.PlainLuns;
import io.coppice.vasa.policy.OfferedProfile;
import io.coppice.vasa.policy.ProfileDraft;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.soap.fault.Batches;
import io.coppice.vasa.soap.translate.ArrayIdentity;
import io.coppice.vasa.soap.translate.TaskMapper;
import io.coppice.vasa.soap.value.Identifiers;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.CostTable;
import io.coppice.vasa.testing.CountedDatabase;
import io.coppice.vasa.testing.Crowd;
import io.coppice.vasa.testing.TestDatabase;
import io.coppice.wsdl.compliance.ComplianceSubject;
import io.coppice.wsdl.vvol.ObjectFactory;
import io.coppice.wsdl.vvol.QueryConstraint;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Cost of VASA's queries, in questions to the database, beside 10,000 volumes and 40,000
/// snapshots, as `docs/benchmarks.md` says.
class CallCostTest {

  private final HikariDataSource connections = new HikariDataSource();
  private CountedDatabase database;
  private ControlPlane plane;
  private String container;

  @BeforeEach
  void open() {
    connections.setDataSource(TestDatabase.fresh());
    connections.setMaximumPoolSize(4);
    database = new CountedDatabase(connections);
    plane = new ControlPlane(database);
    UUID many = plane.container("many").id();
    Crowd.fill(plane.jdbc, many, plane.container("few").id());
    container = many.toString();
    for (int i = 0; i < 20; i++) {
      UUID own = plane.container("c" + i).id();
      plane.profiles.create(new ProfileDraft("p" + i, "", Requirements.NONE, Set.of(own)), "admin");
    }
  }

  @AfterEach
  void close() {
    connections.close();
  }

  @Test
  void everyCallCostsWhatTheTableSays() {
    CostTable table = new CostTable("Queries of VASA");
    askOfVolumes(table);
    askOfTheRest(table);
    table.agrees();
  }

  private void askOfVolumes(CostTable table) {
    TaskMapper mapper = mapper();
    VolumeOperations volumes = new VolumeOperations(plane.volumes, plane.spaces, mapper);
    List<String> batch = texts(Batches.MAX_SIZE);
    see(table, "queryVirtualVolume", () -> found(volumes.queryVirtualVolume(machine()), 4));
    see(
        table,
        "queryVirtualVolumeInfo",
        () -> found(volumes.queryVirtualVolumeInfo(batch), batch.size()));
    see(
        table,
        "spaceStatsForVirtualVolume",
        () -> found(volumes.spaceStatsForVirtualVolume(batch), 0));
    PolicyOperations policies =
        new PolicyOperations(plane.profiles, plane.policies, plane.containers, mapper);
    see(
        table,
        "queryComplianceResult",
        () -> found(policies.queryComplianceResult(subjects(1000)), 1000));
    see(table, "queryCapabilityProfile", () -> found(policies.queryCapabilityProfile(null), 21));
    see(
        table,
        "queryCapabilityProfileForResource",
        () -> found(policies.queryCapabilityProfileForResource(null), 42));
    see(
        table,
        "queryDefaultProfileForStorageContainer",
        () -> found(policies.queryDefaultProfileForStorageContainer(container, null), 0));
  }

  private void askOfTheRest(CostTable table) {
    ArrayIdentity array = new ArrayIdentity(plane.engine);
    ContainerOperations containers =
        new ContainerOperations(plane.containers, plane.spaces, plane.profiles, array);
    List<String> ids = containers.queryStorageContainerForArray(array.id());
    List<String> profiles = plane.profiles.list().stream().map(OfferedProfile::id).toList();
    see(table, "queryStorageContainer", () -> found(containers.queryStorageContainer(ids), 22));
    see(
        table,
        "queryStorageContainerForArray",
        () -> found(containers.queryStorageContainerForArray(array.id()), 22));
    see(
        table,
        "spaceStatsForStorageContainer",
        () -> found(containers.spaceStatsForStorageContainer(container, profiles), 20));
    TaskOperations tasks = new TaskOperations(plane.tasks, mapper(), array);
    see(table, "getCurrentTask", () -> found(tasks.getCurrentTask(null), 0));
    Inventory inventory = inventory();
    see(
        table,
        "getNumberOfEntities",
        () -> assertThat(inventory.count("VirtualVolumeInfo")).isEqualTo(5 * Crowd.VOLUMES));
    see(
        table,
        "queryUniqueIdentifiersForEntity",
        () -> found(inventory.identifiers("VirtualVolumeInfo"), 5 * Crowd.VOLUMES));
    see(table, "getEvents", () -> plane.events.after(-1, "peer", Set.of()));
    Alarms alarms =
        new Alarms(plane.jdbc, plane.transactions, new EventSettings(1000, 100), plane.clock);
    see(table, "getAlarms", () -> alarms.after(-1));
    PlainLuns luns = new PlainLuns(plane.luns, plane.volumes, plane.spaces, plane.engine, alarms);
    see(table, "queryStorageLuns", luns::fullness);
  }

  private void see(CostTable table, String call, Runnable work) {
    table.saw(call, database.of(work));
  }

  private static void found(List<?> answer, int expected) {
    assertThat(answer).hasSize(expected);
  }

  private TaskMapper mapper() {
    return new TaskMapper(
        plane.volumes, plane.spaces, new ArrayIdentity(plane.engine), plane.tasks);
  }

  private Inventory inventory() {
    return new Inventory(
        plane.engine.pool().id(),
        "host",
        "1",
        List.of(),
        List.of(
            new Inventory.EntityListing(
                "VirtualVolumeInfo",
                () -> plane.volumes.ids().stream().map(Identifiers::text).toList(),
                plane.volumes::count)));
  }

  private static List<QueryConstraint> machine() {
    QueryConstraint constraint = new QueryConstraint();
    constraint.setKey("VMW_VmID");
    constraint.setValue(new ObjectFactory().createQueryConstraintValue(Crowd.MACHINE));
    return List.of(constraint);
  }

  private static List<ComplianceSubject> subjects(int number) {
    ComplianceSubject subject = new ComplianceSubject();
    subject.getObjectId().addAll(texts(number));
    return List.of(subject);
  }

  private static List<String> texts(int number) {
    return IntStream.range(1000, 1000 + number)
        .mapToObj(i -> "rfc4122.00000000-0000-4000-8000-%012d".formatted(i))
        .toList();
  }
}

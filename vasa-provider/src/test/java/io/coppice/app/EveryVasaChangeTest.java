package io.coppice.app;

import static io.coppice.app.WireArguments.element;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.app.VasaClient.Reply;
import io.coppice.engine.AwaitedIo;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.vasa.actor.Actor;
import io.coppice.vasa.audit.AuditRecord;
import io.coppice.vasa.audit.Outcome;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.certificate.ServedCertificate;
import io.coppice.vasa.event.ChangeFilter;
import io.coppice.vasa.event.ChangeHistory;
import io.coppice.vasa.event.EventSentences;
import io.coppice.vasa.event.KeptChange;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.task.Tasks;
import io.coppice.wsdl.replication.VasaReplicationPortType;
import io.coppice.wsdl.service.VasaServicePortType;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Every operation of VASA: what it changes is an event with its sentence and the vCenter or host
/// that asked for it, and all other operations write none.
class EveryVasaChangeTest {

  private static final Duration YEAR = Duration.ofDays(365);
  private static final Pattern VOLUME = Pattern.compile("rfc4122\\.([0-9a-f-]{36})");

  private static final HeldCompletions completions = new HeldCompletions();

  @RegisterExtension
  private static final SharedProvider provider =
      new SharedProvider(
          new MemoryEngine(1L << 40, InstantSource.system(), completions::end),
          "--coppice.vasa.tasks.copy-in-call=1MB");

  private static final Issuer authority = issuer("authority");
  private static final Actor HOST = Actor.vasa("host host-a");
  private static final Actor VCENTER = Actor.vasa("vCenter vc-a");

  /// A client before its session, which the password alone lets in.
  private static final Actor STRANGER = Actor.vasa("client at 127.0.0.1");

  /// Operations of virtual volumes, which hosts and vCenters may call.
  private static final List<String> OF_VOLUMES =
      List.of(
          "cloneVirtualVolume",
          "copyDiffsToVirtualVolume",
          "createVirtualVolume",
          "deleteVirtualVolume",
          "fastCloneVirtualVolume",
          "resizeVirtualVolume",
          "revertVirtualVolume",
          "snapshotVirtualVolume",
          "updateStorageProfileForVirtualVolume",
          "updateVirtualVolumeMetaData");

  /// Operations that change nothing which is kept and shown, by the reason.
  static final Map<String, Set<String>> UNCHANGING =
      Map.of(
          "it asks",
          Set.of(
              "allocatedBitmapVirtualVolume",
              "getAlarms",
              "getCurrentTask",
              "getEvents",
              "getNumberOfEntities",
              "getTaskUpdate",
              "queryArrays",
              "queryAssociatedCapabilityForFileSystem",
              "queryAssociatedCapabilityForLun",
              "queryAssociatedLunsForPort",
              "queryAssociatedPortsForProcessor",
              "queryAssociatedProcessorsForArray",
              "queryAssociatedStatisticsForEntity",
              "queryAssociatedStatisticsManifestForArray",
              "queryBackingStoragePools",
              "queryCACertificateRevocationLists",
              "queryCACertificates",
              "queryCapabilityMetadata",
              "queryCapabilityProfile",
              "queryCapabilityProfileForResource",
              "queryCatalog",
              "queryComplianceResult",
              "queryDRSMigrationCapabilityForPerformance",
              "queryDefaultProfileForStorageContainer",
              "queryDrsMigrationCapabilityForPerformanceEx",
              "queryFaultDomain",
              "queryPointInTimeReplica",
              "queryProtocolEndpoint",
              "queryProtocolEndpointForArray",
              "queryReplicationGroup",
              "queryReplicationPeer",
              "queryStorageCapabilities",
              "queryStorageContainer",
              "queryStorageContainerForArray",
              "queryStorageFileSystems",
              "queryStorageLuns",
              "queryStoragePorts",
              "queryStorageProcessors",
              "queryUniqueIdentifiersForEntity",
              "queryUniqueIdentifiersForFileSystems",
              "queryUniqueIdentifiersForLuns",
              "queryVirtualVolume",
              "queryVirtualVolumeInfo",
              "spaceStatsForStorageContainer",
              "spaceStatsForVirtualVolume",
              "unsharedBitmapVirtualVolume",
              "unsharedChunksVirtualVolume"),
          "its effect ends with the session",
          Set.of("setPEContext", "setStatisticsContext", "setStorageContainerContext"),
          "bindings are no events, as decision 43 says",
          Set.of(
              "bindVirtualVolume",
              "bindingChangeComplete",
              "cancelBindingChange",
              "prepareForBindingChange",
              "unbindAllVirtualVolumesFromHost",
              "unbindVirtualVolume",
              "unbindVirtualVolumeFromAllHost"),
          "another operation makes what it prepares",
          Set.of("prepareToSnapshotVirtualVolume", "requestCSR"),
          "the provider is always active",
          Set.of("activateProvider", "activateProviderEx"));

  /// Operations on replication groups, each of which is refused, since there are none.
  static final Set<String> REFUSED =
      Set.of(
          "failoverReplicationGroup",
          "prepareFailoverReplicationGroup",
          "promoteReplicationGroup",
          "reverseReplicateGroup",
          "syncReplicationGroup",
          "testFailoverReplicationGroupStart",
          "testFailoverReplicationGroupStop");

  private static final EventSentences sentences = new EventSentences();

  private static RightArguments arguments;
  private static VasaClient vcenter;
  private static RightArguments.Hosts hosts;

  private final Set<String> walked = new TreeSet<>();

  /// The ends of the pool's I/O, which wait while they are held.
  private static final class HeldCompletions {

    private final List<Runnable> waiting = new ArrayList<>();
    private boolean held;

    synchronized void hold() {
      held = true;
    }

    void release() {
      List<Runnable> all;
      synchronized (this) {
        held = false;
        all = List.copyOf(waiting);
        waiting.clear();
      }
      all.forEach(Runnable::run);
    }

    void end(Runnable completion) {
      synchronized (this) {
        if (held) {
          waiting.add(completion);
          return;
        }
      }
      completion.run();
    }
  }

  @BeforeAll
  static void prepare() throws Exception {
    register(client("nobody"), authority);
    arguments = new RightArguments(provider.get(), "walk", "host-a", "iqn.2026-11.test:host-a");
    vcenter = client("vcenter");
    opened(vcenter.openAsVcenter("vc-a"));
    hosts = new RightArguments.Hosts(host("host-a"), host("host-c"), "host-c");
  }

  private static Issuer issuer(String name) {
    return Issuer.create(name, Instant.now(), YEAR);
  }

  private static VasaClient client(String name) throws Exception {
    return client(authority, name);
  }

  private static VasaClient client(Issuer issuer, String name) throws Exception {
    ServedCertificate certificate = issuer.issue(List.of(name + ".test"), Instant.now(), YEAR);
    return new VasaClient(provider.get().vasaPort(), certificate);
  }

  private static VasaClient host(String guid) throws Exception {
    VasaClient client = client(guid);
    opened(client.openAsHost(guid, "iqn.2026-11.test:" + guid));
    arguments.prepareSession(client);
    return client;
  }

  private static Reply register(VasaClient client, Issuer issuer) throws Exception {
    return opened(client.register(provider.get().password(), List.of(pem(issuer)), List.of()));
  }

  private static String pem(Issuer issuer) {
    return Pem.of(issuer.served().leaf());
  }

  private static Reply opened(Reply reply) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    return reply;
  }

  static Set<String> operations() {
    return operations(VasaServicePortType.class, VasaReplicationPortType.class);
  }

  private static Set<String> operations(Class<?>... types) {
    return Stream.of(types)
        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
        .map(Method::getName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void everyOperationThatChangesSomethingIsAnEventWithItsActor() throws Exception {
    for (String operation : OF_VOLUMES) {
      walk(operation, HOST, hosts.own());
      walk(operation, VCENTER, vcenter);
    }
    copies();
    registrations();
    sessions();
    certificate();
    endOfRegistration();

    Set<String> all = new TreeSet<>(walked);
    UNCHANGING.values().forEach(all::addAll);
    all.addAll(REFUSED);
    assertThat(operations())
        .containsAll(operations(io.coppice.wsdl.v1.service.VasaServicePortType.class))
        .hasSize(85);
    assertThat(all).isEqualTo(operations());
  }

  /// Copies that go on behind their calls: the second one until a vCenter ends it.
  private void copies() throws Exception {
    String first = differing();
    walk(
        "copyDiffsToVirtualVolume",
        HOST,
        () -> call(hosts.own(), "copyDiffsToVirtualVolume", first));
    String second = differing();
    completions.hold();
    Reply begun = opened(call(hosts.own(), "copyDiffsToVirtualVolume", second));
    walk(
        "cancelTask",
        VCENTER,
        () -> {
          Reply reply = call(vcenter, "cancelTask", element("taskId", begun.value("taskId")));
          completions.release();
          return reply;
        });
  }

  /// The arguments of a copy of 2 MiB.
  private static String differing() throws Exception {
    String copy = arguments.of("copyDiffsToVirtualVolume", hosts);
    Matcher source = VOLUME.matcher(copy);
    assertThat(source.find()).isTrue();
    var written = new AwaitedIo();
    provider
        .get()
        .bean(StorageEngine.class)
        .open(new VolumeId(UUID.fromString(source.group(1))))
        .write(0, ByteBuffer.allocateDirect(2 << 20).put(0, (byte) 1), written);
    assertThat(written.await()).isNull();
    return copy;
  }

  private void registrations() throws Exception {
    VasaClient stranger = client("stranger");
    walk("registerCACertificatesAndCRLs", STRANGER, () -> register(stranger, issuer("r1")));
    walk("registerCACertificatesAndCRLs", VCENTER, () -> register(vcenter, issuer("r2")));
    for (VasaClient caller : List.of(stranger, vcenter)) {
      String sent =
          element("userName", "vasa")
              + element("password", provider.get().password())
              + element("newCertificate", pem(issuer("r3")));
      walk(
          "registerVASACertificate",
          caller == vcenter ? VCENTER : STRANGER,
          () -> call(caller, "registerVASACertificate", sent));
    }
    String both = element("caRootCert", pem(authority)) + element("caRootCert", pem(issuer("r4")));
    walk(
        "refreshCACertificatesAndCRLs",
        VCENTER,
        () -> call(vcenter, "refreshCACertificatesAndCRLs", both));
  }

  private void sessions() throws Exception {
    VasaClient fresh = client("host-n");
    walk(
        "setContext",
        Actor.vasa("host host-n"),
        () -> fresh.openAsHost("host-n", "iqn.2026-11.test:host-n"));
    walk(
        "setContext",
        Actor.vasa("host host-n"),
        () -> fresh.openAsHost("host-n", "iqn.2026-11.test:host-m"));
    VasaClient bare = client("host-o");
    walk(
        "setContext",
        Actor.vasa("host host-o"),
        () -> bare.open("<d:hostGuid>host-o</d:hostGuid>"));
    register(client("nobody"), authority); // opens a seat
    VasaClient second = client("vcenter-b");
    walk("setContext", Actor.vasa("vCenter vc-b"), () -> second.openAsVcenter("vc-b"));
  }

  private void certificate() throws Exception {
    String request = opened(vcenter.callEmpty("requestCSR")).value("return");
    String sent =
        element("providerCert", SharedProvider.sign(authority, request))
            + element("forceApply", "true");
    walk(
        "registerCASignedProviderCertificate",
        VCENTER,
        () -> call(vcenter, "registerCASignedProviderCertificate", sent));
  }

  /// A vCenter moves to another registration, and ends it.
  private void endOfRegistration() throws Exception {
    Issuer next = issuer("next");
    register(client("nobody"), next);
    VasaClient moved = client(next, "vcenter-b");
    Actor actor = Actor.vasa("vCenter vc-b");
    walk("setContext", actor, () -> moved.openAsVcenter("vc-b"));
    walk(
        "unregisterVASACertificate",
        actor,
        () -> call(moved, "unregisterVASACertificate", element("existingCertificate", pem(next))));
  }

  private void walk(String operation, Actor actor, VasaClient caller) throws Exception {
    String sent = arguments.of(operation, hosts);
    walk(operation, actor, () -> call(caller, operation, sent));
  }

  /// Makes a call, and checks what the events say about it.
  private void walk(String operation, Actor actor, Callable<Reply> call) throws Exception {
    String what = operation + " by " + actor.name();
    long before = history().newestId();
    Reply reply = call.call();
    assertThat(reply.status()).as(what + ": " + reply.text()).isEqualTo(200);
    if (!reply.values("taskId").isEmpty() || operation.equals("cancelTask")) {
      provider.get().await("no task runs after " + what, EveryVasaChangeTest::nothingRuns);
    }

    List<KeptChange> changes = since(before);
    assertThat(changes).as(what).isNotEmpty();
    for (KeptChange change : changes) {
      assertThat(sentences.of(change))
          .as(what)
          .endsWith(".")
          .doesNotContain("{", "io.coppice", "null");
      assertThat(change.actor()).as(what + ": " + sentences.of(change)).isEqualTo(actor);
    }
    audited(operation, actor);
    walked.add(operation);
  }

  /// Checks what the audit trail says about a call.
  private static void audited(String operation, Actor actor) {
    AuditRecord recorded = AuditedCallsTest.newest(provider.get());
    assertThat(recorded.action()).isEqualTo(operation);
    assertThat(recorded.outcome()).as(operation).isIn(Outcome.DONE, Outcome.ACCEPTED);
    assertThat(recorded.author().certificate()).as(operation).matches("[0-9a-f]{64} CN=.*");
    if (!operation.equals("setContext")) { // which opens the session that tells who it is
      assertThat(recorded.author().account()).as(operation).isEqualTo(actor.name());
    }
    if (OF_VOLUMES.contains(operation)) {
      assertThat(recorded.object()).as(operation + recorded.details()).isNotNull();
    }
    assertThat(recorded.toString())
        .doesNotContain(provider.get().password(), "BEGIN CERTIFICATE", "VASASESSIONID");
  }

  private static boolean nothingRuns() {
    return provider.get().bean(Tasks.class).unfinished().isEmpty();
  }

  @Test
  void everyOtherOperationWritesNoEvent() throws Exception {
    for (Map.Entry<String, Set<String>> group : UNCHANGING.entrySet()) {
      for (String operation : new TreeSet<>(group.getValue())) {
        assertThat(
                List.of(quiet(operation, hosts.own()).status(), quiet(operation, vcenter).status()))
            .as(operation + ": " + group.getKey())
            .contains(200);
      }
      arguments.prepareSession(hosts.own()); // what the group may have changed in it
    }
    for (String operation : REFUSED) {
      assertThat(quiet(operation, vcenter).text()).as(operation).contains("InvalidFunctionTarget");
    }
  }

  private static Reply quiet(String operation, VasaClient caller) throws Exception {
    String sent = arguments.of(operation, hosts);
    return quiet(operation, () -> call(caller, operation, sent));
  }

  /// Makes a call that writes no event.
  private static Reply quiet(String what, Callable<Reply> call) throws Exception {
    long before = history().newestId();
    Reply reply = call.call();
    assertThat(since(before)).extracting(sentences::of).as(what).isEmpty();
    return reply;
  }

  @Test
  void aRepeatThatChangesNothingIsNoEvent() throws Exception {
    Issuer again = issuer("again");
    VasaClient own = client(again, "vcenter-r");
    register(own, again);
    opened(own.openAsVcenter("vc-r"));
    opened(quiet("registerCACertificatesAndCRLs", () -> register(own, again)));
    opened(quiet("setContext of a vCenter", () -> own.openAsVcenter("vc-r")));
    String root = element("caRootCert", pem(again));
    String refresh = "refreshCACertificatesAndCRLs";
    opened(quiet(refresh, () -> call(own, refresh, root)));
    opened(quiet("setContext of a host", () -> reopened("host-c")));
    for (String operation :
        List.of(
            "resizeVirtualVolume",
            "updateVirtualVolumeMetaData",
            "updateStorageProfileForVirtualVolume")) {
      String sent = arguments.of(operation, hosts);
      opened(call(vcenter, operation, sent));
      opened(quiet(operation, () -> call(vcenter, operation, sent)));
    }
  }

  private static Reply reopened(String guid) throws Exception {
    return client(guid).openAsHost(guid, "iqn.2026-11.test:" + guid);
  }

  static Reply call(VasaClient caller, String operation, String sent) throws Exception {
    String body = RightArguments.WITHOUT.contains(operation) ? "" : element(operation, sent);
    return caller.send(VasaClient.envelope(body), "urn:" + operation);
  }

  private static ChangeHistory history() {
    return provider.get().bean(ChangeHistory.class);
  }

  /// What was written since, without alerts, which come whenever their causes are found.
  private static List<KeptChange> since(long id) {
    return history().following(ChangeFilter.ALL, id, 1000).stream()
        .filter(change -> !ObjectType.ALERT.text().equals(change.objectType()))
        .toList();
  }
}

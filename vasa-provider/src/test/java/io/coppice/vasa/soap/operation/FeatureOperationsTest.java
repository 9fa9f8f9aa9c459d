package io.coppice.vasa.soap.operation;

import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.event.RaisedAlarm;
import io.coppice.vasa.policy.ProfileDraft;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.policy.SpaceEfficiency;
import io.coppice.vasa.session.CurrentSession;
import io.coppice.vasa.session.Peer;
import io.coppice.vasa.session.TrustSets;
import io.coppice.vasa.session.VasaSession;
import io.coppice.vasa.soap.translate.ArrayIdentity;
import io.coppice.vasa.soap.translate.EventMapper;
import io.coppice.vasa.soap.translate.ProfileMapper;
import io.coppice.vasa.soap.translate.TaskMapper;
import io.coppice.vasa.soap.value.Identifiers;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.copy.Bitmaps.Segment;
import io.coppice.wsdl.capability.CapabilityInstance;
import io.coppice.wsdl.data.ComplianceAlarm;
import io.coppice.wsdl.data.NameValuePair;
import io.coppice.wsdl.data.ObjectFactory;
import io.coppice.wsdl.data.StorageAlarm;
import io.coppice.wsdl.fault.InvalidArgument;
import io.coppice.wsdl.fault.NotFound;
import io.coppice.wsdl.fault.StorageFault;
import io.coppice.wsdl.profile.CapabilityConstraints;
import io.coppice.wsdl.profile.StorageProfile;
import io.coppice.wsdl.profile.SubProfile;
import io.coppice.wsdl.service.CancelTask;
import io.coppice.wsdl.service.DeleteVirtualVolume;
import io.coppice.wsdl.service.SetPEContext;
import io.coppice.wsdl.service.UnbindAllVirtualVolumesFromHost;
import io.coppice.wsdl.vvol.BatchReturnStatus;
import io.coppice.wsdl.vvol.BatchVirtualVolumeHandleResult;
import io.coppice.wsdl.vvol.PrepareSnapshotResult;
import io.coppice.wsdl.vvol.QueryConstraint;
import io.coppice.wsdl.vvol.TaskInfo;
import io.coppice.wsdl.vvol.VirtualVolumeInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The operations as the endpoint calls them: texts, MB and beans in, beans and faults out.
class FeatureOperationsTest {

  private static final List<@Nullable String> MALFORMED =
      Collections.unmodifiableList(
          Arrays.asList(
              null, "", "rfc4122.", "rfc4122.1-1-1-1-1", "naa.6000", UUID.randomUUID().toString()));
  private static final String UNKNOWN = "rfc4122." + UUID.randomUUID();
  private static final Segment FIRST_MIB = new Segment(0, 1 << 20);

  private ControlPlane plane;
  private VolumeOperations volumes;
  private SnapshotOperations snapshots;
  private BindingOperations bindings;
  private PolicyOperations policies;
  private ContainerOperations containers;
  private TaskOperations tasks;
  private StorageContainer container;
  private VasaSession host;

  @BeforeEach
  void open() {
    plane = new ControlPlane();
    ArrayIdentity array = new ArrayIdentity(plane.engine);
    TaskMapper mapper = new TaskMapper(plane.volumes, plane.spaces, array, plane.tasks);
    volumes = new VolumeOperations(plane.volumes, plane.spaces, mapper);
    snapshots =
        new SnapshotOperations(plane.snapshots, plane.reverts, plane.clones, plane.bitmaps, mapper);
    bindings =
        new BindingOperations(
            plane.bindings,
            plane.bindingChanges(false),
            mapper,
            plane.endpoints,
            array,
            new TrustSets(plane.jdbc, plane.transactions, plane.clock));
    policies = new PolicyOperations(plane.profiles, plane.policies, plane.containers, mapper);
    containers = new ContainerOperations(plane.containers, plane.spaces, plane.profiles, array);
    tasks = new TaskOperations(plane.tasks, mapper, array);
    container = plane.container("c1");
    host = VasaSession.of("s1", new Peer.Host(ControlPlane.HOST.value()));
    host.declareEndpoints(plane.declareHost());
  }

  @Test
  void malformedIdsAreInvalidArguments() {
    for (String id : MALFORMED) {
      assertFault("InvalidArgument", () -> volumes.deleteVirtualVolume(deletion(id)));
      assertFault("InvalidArgument", () -> volumes.resizeVirtualVolume(id, 1));
      assertFault("InvalidArgument", () -> snapshots.revertVirtualVolume(id, UNKNOWN));
      assertFault(
          "InvalidArgument", () -> snapshots.copyDiffsToVirtualVolume(UNKNOWN, id, UNKNOWN));
      assertFault("InvalidArgument", () -> snapshots.fastCloneVirtualVolume(id, null, metadata()));
      assertFault(
          "InvalidArgument",
          () -> snapshots.prepareToSnapshotVirtualVolume(id, null, "SnapshotReadOnly"));
      assertFault(
          "InvalidArgument", () -> snapshots.allocatedBitmapVirtualVolume(id, FIRST_MIB, 4096));
      assertFault(
          "NotFound", () -> policies.updateStorageProfileForVirtualVolume(id, profile(null)));
    }
  }

  @Test
  void unknownIdsAreNotFoundOrLeftOut() throws Exception {
    assertFault("NotFound", () -> volumes.deleteVirtualVolume(deletion(UNKNOWN)));
    assertFault("NotFound", () -> volumes.resizeVirtualVolume(UNKNOWN, 1));
    assertFault("NotFound", () -> snapshots.cloneVirtualVolume(UNKNOWN, null, null, metadata()));
    UUID other = UUID.randomUUID();
    assertFault("NotFound", () -> tasks.getTaskUpdate("createVirtualVolume:" + other));
    assertFault("NotFound", () -> tasks.getCurrentTask("StorageArray:" + other));
    assertFault(
        "NotFound",
        () -> containers.spaceStatsForStorageContainer(UUID.randomUUID().toString(), List.of()));
    assertFault("NotFound", () -> policies.queryCapabilityMetadata(List.of("other")));
    assertFault("NotFound", () -> policies.queryCapabilityProfile(List.of("other")));
    assertThat(volumes.queryVirtualVolumeInfo(List.of(UNKNOWN, "x"))).isEmpty();
    assertThat(containers.queryStorageContainer(List.of("x", UUID.randomUUID().toString())))
        .isEmpty();
    assertThat(as(host, () -> bindings.queryProtocolEndpoint(List.of("x")))).isEmpty();
  }

  @Test
  void createAnswersTheIdOfTheVolumeAndRefusesWhatIsMissing() {
    String id = created(4096);

    assertThat(id).startsWith("rfc4122.");
    assertThat(volumes.spaceStatsForVirtualVolume(List.of(id)).getFirst().getLogical())
        .isEqualTo(4096);
    String where = container.id().toString();
    assertFault(
        "InvalidArgument", () -> volumes.createVirtualVolume(where, "Disk", null, 1, metadata()));
    assertFault(
        "InvalidArgument", () -> volumes.createVirtualVolume(where, null, null, 1, metadata()));
    assertFault(
        "InvalidArgument", () -> volumes.createVirtualVolume(where, "Data", null, 1, List.of()));
    assertFault(
        "InvalidArgument", () -> volumes.createVirtualVolume("x", "Data", null, 1, metadata()));
    for (long size : List.of(0L, -1L, 67_108_865L, Long.MAX_VALUE)) {
      assertFault(
          "InvalidArgument",
          () -> volumes.createVirtualVolume(where, "Data", null, size, metadata()));
    }
    assertFault(
        "InvalidProfile",
        () ->
            volumes.createVirtualVolume(
                where, "Data", profile(new CapabilityInstance()), 1, metadata()));
    assertThat(plane.engine.list()).hasSize(1);
  }

  @Test
  void searchWithoutConstraintOrKeyIsAnInvalidArgument() {
    assertFault("InvalidArgument", () -> volumes.queryVirtualVolume(List.of()));
    assertFault(
        "InvalidArgument", () -> volumes.queryVirtualVolume(List.of(new QueryConstraint())));
  }

  @Test
  void bindAnswersEachItemWithHandleOrTypedFault() throws Exception {
    String id = created(16);

    List<BatchVirtualVolumeHandleResult> results =
        as(host, () -> bindings.bindVirtualVolume(List.of("x", id, UNKNOWN), "Normal"));

    assertThat(results.get(0).getFault().getValue()).isInstanceOf(InvalidArgument.class);
    assertThat(results.get(2).getFault().getValue()).isInstanceOf(NotFound.class);
    assertThat(results.get(1).getFault()).isNull();
    assertThat(results.get(1).getVvolLogicalSize()).isEqualTo(16);
    var handle = results.get(1).getVvolHandle().getValue();
    assertThat(handle.getVvolSecondaryId()).startsWith("0xd2");
    assertThat(handle.getPeInBandId().getLunId().getValue())
        .isEqualTo(plane.luns.endpoints().getFirst().naa());
    List<BatchReturnStatus> unbound =
        as(host, () -> bindings.unbindVirtualVolume(List.of(handle), "Normal"));
    assertThat(unbound.getFirst().getErrorResult()).isNull();
    assertThat(plane.bindings.list()).isEmpty();
  }

  @Test
  void bindRefusesBadCallsWhole() {
    String id = created(16);
    VasaSession blind = VasaSession.of("s2", new Peer.Host(ControlPlane.HOST.value()));
    VasaSession vcenter = VasaSession.of("s3", new Peer.Vcenter("vc"));

    assertFault(
        "InvalidArgument", () -> as(host, () -> bindings.bindVirtualVolume(List.of(), "Normal")));
    assertFault(
        "InvalidArgument", () -> as(host, () -> bindings.bindVirtualVolume(List.of(id), "Later")));
    assertFault(
        "InvalidArgument", () -> as(host, () -> bindings.bindVirtualVolume(List.of(id), null)));
    assertFault(
        "InvalidArgument",
        () -> as(vcenter, () -> bindings.bindVirtualVolume(List.of(id), "Normal")));
    assertFault(
        "StorageFault", () -> as(blind, () -> bindings.bindVirtualVolume(List.of(id), "Normal")));
    assertFault(
        "TooMany",
        () -> as(host, () -> bindings.bindVirtualVolume(Collections.nCopies(257, id), "Normal")));
    assertThat(plane.bindings.list()).isEmpty();
  }

  @Test
  void hostsEndOnlyTheirOwnBindings() throws Exception {
    String id = created(16);
    as(host, () -> bindings.bindVirtualVolume(List.of(id), "Normal"));
    VasaSession other = VasaSession.of("s2", new Peer.Host("host-2"));
    VasaSession vcenter = VasaSession.of("s3", new Peer.Vcenter("vc"));

    assertFault(
        "StorageFault",
        () -> as(other, () -> bindings.unbindVirtualVolumeFromAllHost(List.of(id))));
    assertFault("StorageFault", () -> as(other, () -> unbindAll("host-1")));
    assertFault("InvalidArgument", () -> as(vcenter, () -> unbindAll(null)));
    assertFault("NotFound", () -> as(vcenter, () -> unbindAll("host-9")));
    assertThat(plane.bindings.list()).hasSize(1);
    as(host, () -> unbindAll(null));
    assertThat(plane.bindings.list()).isEmpty();
  }

  @Test
  void endpointsThatTheHostDoesNotSeeAreNotUsed() throws Exception {
    String id = created(16);
    as(
        host,
        () -> {
          bindings.setPEContext(new SetPEContext());
          return true;
        });

    assertThat(host.visibleEndpoints()).contains(Set.of());
    assertFault(
        "StorageFault", () -> as(host, () -> bindings.bindVirtualVolume(List.of(id), "Normal")));
  }

  @Test
  void snapshotIsPreparedWithItsParentAndTaken() throws Exception {
    String id = created(16);
    TaskInfo task =
        as(host, () -> snapshots.prepareToSnapshotVirtualVolume(id, null, "SnapshotReadOnly"));
    var prepared = (PrepareSnapshotResult) task.getResult().getValue();

    VirtualVolumeInfo bad = new VirtualVolumeInfo();
    bad.setVvolId("x");
    VirtualVolumeInfo good = new VirtualVolumeInfo();
    good.setVvolId(prepared.getSnapshotId());
    List<BatchReturnStatus> statuses = snapshots.snapshotVirtualVolume(List.of(bad, good), 1000);

    assertThat(prepared.getParentInfo().getVvolId()).isEqualTo(id);
    assertThat(statuses.get(0).getErrorResult().getValue().getError().getFirst())
        .isInstanceOf(InvalidArgument.class);
    assertThat(statuses.get(1).getUniqueId()).isEqualTo(prepared.getSnapshotId());
    assertThat(statuses.get(1).getErrorResult()).isNull();
    for (long timeout : List.of(0L, -1L)) {
      assertFault("InvalidArgument", () -> snapshots.snapshotVirtualVolume(List.of(good), timeout));
    }
    assertFault("InvalidArgument", () -> snapshots.snapshotVirtualVolume(List.of(), 1000));
    assertFault(
        "NotSupported",
        () -> snapshots.prepareToSnapshotVirtualVolume(id, null, "SnapshotReadWrite"));
    assertFault(
        "InvalidArgument", () -> snapshots.prepareToSnapshotVirtualVolume(id, null, "Other"));
  }

  @Test
  void bitmapHasTheFirstChunkInTheLowestBit() {
    String id = created(16);
    var volume = Identifiers.volume(id);
    plane.write(volume, 0, 4096, 1);
    plane.write(volume, 9 << 20, 4096, 1);

    assertThat(
            snapshots
                .allocatedBitmapVirtualVolume(id, new Segment(0, 12 << 20), 1 << 20)
                .getChunkBitmap())
        .containsExactly(0x01, 0x02);
  }

  @Test
  void profileMadeByAnAdministratorShowsUpAndIsJudged() {
    var thick =
        plane.profiles.create(
            new ProfileDraft(
                "gold", "", new Requirements(SpaceEfficiency.THICK, null, null), Set.of()),
            "admin");
    StorageProfile bean = policies.queryCapabilityProfile(List.of(thick.id())).getFirst();

    assertThat(bean.getName()).isEqualTo("gold");
    assertThat(ProfileMapper.profile(bean)).isEqualTo(thick.asStorageProfile());
    assertThat(policies.queryCapabilityProfileForResource(List.of(container.id().toString())))
        .extracting(association -> association.getProfileId())
        .contains(thick.id());
    assertThat(policies.queryCapabilityMetadata(null)).hasSize(2);
    assertFault("InvalidArgument", () -> policies.queryComplianceResult(List.of()));
    assertFault(
        "InvalidArgument",
        () ->
            policies.queryDefaultProfileForStorageContainer(
                container.id().toString(), List.of("Disk")));
  }

  @Test
  @Timeout(60)
  void copyBehindItsCallTellsItsProgressAndIsCancelled() throws Exception {
    String id = created(2048);
    var volume = Identifiers.volume(id);
    String base = Identifiers.text(plane.snapshot(volume));
    String destination = created(2048);
    plane.write(volume, 0, 2 << 20, 1);
    plane.write(volume, 1 << 30, 2 << 20, 1);
    CountDownLatch half = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger questions = new AtomicInteger();
    plane.hooks.before(
        "unshared",
        () -> {
          if (questions.incrementAndGet() == 4) {
            half.countDown();
            await(goOn);
          }
        });

    TaskInfo begun = snapshots.copyDiffsToVirtualVolume(id, base, destination);
    half.await();
    plane.clock.advance(Duration.ofMinutes(1));
    TaskInfo told = tasks.getTaskUpdate(begun.getTaskId());
    CancelTask cancel = new CancelTask();
    cancel.setTaskId(begun.getTaskId());
    tasks.cancelTask(cancel);
    goOn.countDown();
    while (plane.tasks.progressOf(begun.getTaskId()).isPresent()) {
      Thread.onSpinWait();
    }
    TaskInfo ended = tasks.getTaskUpdate(begun.getTaskId());

    assertThat(begun.getTaskState()).isEqualTo("Running");
    assertThat(told.isCancelable()).isTrue();
    assertThat(told.isProgressUpdateAvailable()).isTrue();
    assertThat(told.getProgress()).isEqualTo(50);
    assertThat(told.getEstimatedTimeToComplete().getValue().toInstant())
        .isEqualTo(plane.clock.instant().plus(Duration.ofMinutes(1)));
    assertThat(ended.getTaskState()).isEqualTo("Error");
    assertThat(ended.isCancelled()).isTrue();
    assertThat(ended.getError().getValue()).isInstanceOf(StorageFault.class);
    assertFault("NotCancellable", () -> tasks.cancelTask(cancel));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private String created(long sizeInMB) {
    TaskInfo task =
        volumes.createVirtualVolume(container.id().toString(), "Data", null, sizeInMB, metadata());
    assertThat(task.getTaskState()).isEqualTo("Success");
    assertThat(tasks.getTaskUpdate(task.getTaskId()).getTaskState()).isEqualTo("Success");
    return (String) task.getResult().getValue();
  }

  private boolean unbindAll(@Nullable String hostUuid) {
    UnbindAllVirtualVolumesFromHost request = new UnbindAllVirtualVolumesFromHost();
    request.setHostUuid(
        new io.coppice.wsdl.service.ObjectFactory()
            .createUnbindAllVirtualVolumesFromHostHostUuid(hostUuid));
    bindings.unbindAllVirtualVolumesFromHost(request);
    return true;
  }

  private static DeleteVirtualVolume deletion(@Nullable String id) {
    DeleteVirtualVolume request = new DeleteVirtualVolume();
    request.setVvolId(id);
    return request;
  }

  private static List<NameValuePair> metadata() {
    NameValuePair pair = new NameValuePair();
    pair.setParameterName(new ObjectFactory().createNameValuePairParameterName("VMW_VVolName"));
    pair.setParameterValue(new ObjectFactory().createNameValuePairParameterValue("disk"));
    return List.of(pair);
  }

  private static StorageProfile profile(@Nullable CapabilityInstance capability) {
    CapabilityConstraints constraints = new CapabilityConstraints();
    if (capability != null) {
      SubProfile sub = new SubProfile();
      sub.setName("sub");
      sub.getCapability().add(capability);
      constraints.getSubProfiles().add(sub);
    }
    StorageProfile profile = new StorageProfile();
    profile.setProfileId("p");
    profile.setName("p");
    profile.setConstraints(
        new io.coppice.wsdl.profile.ObjectFactory().createStorageProfileConstraints(constraints));
    return profile;
  }

  @Test
  void alarmOfAPolicyTellsWhichAndWhetherItIsKept() {
    var mapper = new EventMapper("array");
    for (RaisedAlarm.Status status : List.of(RaisedAlarm.Status.YELLOW, RaisedAlarm.Status.GREEN)) {
      StorageAlarm alarm = mapper.alarm(alarm(RaisedAlarm.COMPLIANCE, status));

      assertThat(alarm)
          .isInstanceOfSatisfying(
              ComplianceAlarm.class,
              compliance -> {
                assertThat(compliance.getProfileId()).isEqualTo("gold");
                assertThat(compliance.getComplianceStatus())
                    .isEqualTo(status == RaisedAlarm.Status.GREEN ? "compliant" : "nonCompliant");
                assertThat(compliance.getContainerId().getValue()).isEqualTo("c");
              });
    }
    assertThat(mapper.alarm(alarm("SpaceCapacity", RaisedAlarm.Status.RED)))
        .isExactlyInstanceOf(StorageAlarm.class);
  }

  private static RaisedAlarm alarm(String type, RaisedAlarm.Status status) {
    Instant now = Instant.parse("2026-11-22T00:00:00Z");
    Map<String, String> parameters = Map.of("object", "o", RaisedAlarm.POLICY, "gold");
    return new RaisedAlarm(1, now, type, status, "VirtualVolumeInfo", "o", "c", "m", parameters);
  }

  private static <T> T as(VasaSession session, Callable<T> call) throws Exception {
    return CurrentSession.call(session, call);
  }
}

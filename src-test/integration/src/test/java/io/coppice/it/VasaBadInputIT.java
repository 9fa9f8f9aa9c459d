package io.coppice.it;

import static io.coppice.it.Faults.assertFault;
import static io.coppice.it.Faults.assertItemFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.driver.esxi.VvolDisk;
import io.coppice.driver.soap.BindingCalls;
import io.coppice.driver.soap.Capability;
import io.coppice.driver.soap.PolicyCalls;
import io.coppice.driver.soap.PropertyValue;
import io.coppice.driver.soap.SnapshotCalls;
import io.coppice.driver.soap.StorageProfile;
import io.coppice.driver.soap.VasaClient;
import io.coppice.driver.soap.VasaFault;
import io.coppice.driver.soap.VolumeCalls;
import io.coppice.driver.soap.VvolHandle;
import io.coppice.driver.soap.VvolInfo;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Wrong arguments of every operation on volumes, over TLS: each ends in the fault that the
/// contract has for it, and changes nothing.
class VasaBadInputIT {

  private static final long MIB = 1 << 20;
  private static final String MALFORMED = "rfc4122.not-a-uuid";
  private static final Map<String, String> DATA = Map.of("VMW_VVolType", "Data");

  @RegisterExtension private static final SharedSite shared = new SharedSite();

  private static String volume;
  private static String snapshot;
  private static String other;

  private final String unknown = Wrong.volumeId();
  private SiteState before;

  @BeforeAll
  static void start() {
    volume = shared.site().create("Data", 4, Map.of("VMW_VVolName", "the volume"));
    shared.site().write(volume, 0, 1);
    snapshot = shared.site().snapshot(volume);
    shared.site().write(volume, 0, 2);
    other = shared.site().create("Data", 4, Map.of("VMW_VVolName", "another"));
    shared.site().write(other, 0, 3);
  }

  @BeforeEach
  void remember() {
    before = SiteState.of(shared.site());
    assertThat(before.volumes()).hasSize(3);
  }

  @AfterEach
  void nothingChanged() {
    assertThat(SiteState.of(shared.site())).isEqualTo(before);
    assertThat(shared.site().read(volume, 0)).isEqualTo((byte) 2);
    assertThat(shared.site().read(snapshot, 0)).isEqualTo((byte) 1);
    assertThat(shared.site().read(other, 0)).isEqualTo((byte) 3);
  }

  @Test
  void sizesOutOfRange() {
    for (long size : new long[] {Long.MIN_VALUE, -1, 0, (64L << 20) + 1, Long.MAX_VALUE}) {
      assertFault("create of %d MB".formatted(size), "InvalidArgument", create(size, null));
      assertFault(
          "resize to %d MB".formatted(size),
          "InvalidArgument",
          () -> volumes().resizeVirtualVolume(volume, size));
    }
    assertFault(
        "resize below the size", "InvalidArgument", () -> volumes().resizeVirtualVolume(volume, 3));
    assertFault("create beyond the container", "OutOfResource", create(2L << 20, null));
    assertFault(
        "resize beyond the container",
        "OutOfResource",
        () -> volumes().resizeVirtualVolume(volume, 2L << 20));
    assertFault(
        "resize of a snapshot", "NotSupported", () -> volumes().resizeVirtualVolume(snapshot, 8));
  }

  @Test
  void profilesThatCannotBeMet() {
    PropertyValue day = new PropertyValue.Span("DAYS", 1);
    for (StorageProfile unmet :
        List.of(
            profile("com.vmware.storageprofile.std", "spaceEfficiency", "Hybrid"),
            profile("com.vmware.storageprofile.std", "compression", "Yes"),
            profile("", "spaceEfficiency", "Thin"),
            profile("com.vmware.storageprofile.std", "", "Thin"),
            StorageProfile.of(
                "retention alone",
                List.of(Capability.of("io.coppice.capability", "snapshotRetention", day))),
            StorageProfile.of(
                "every second",
                List.of(
                    Capability.of(
                        "io.coppice.capability",
                        "snapshotInterval",
                        new PropertyValue.Span("SECONDS", 1)))))) {
      String what = unmet.toString();
      assertFault(what, "InvalidProfile", create(1, unmet));
      assertFault(
          what,
          "InvalidProfile",
          () -> policies().updateStorageProfileForVirtualVolume(volume, unmet));
      assertFault(
          what, "InvalidProfile", () -> snapshots().fastCloneVirtualVolume(volume, unmet, DATA));
      assertFault(
          what, "InvalidProfile", () -> snapshots().cloneVirtualVolume(volume, null, unmet, DATA));
      assertFault(
          what,
          "InvalidProfile",
          () -> snapshots().prepareToSnapshotVirtualVolume(volume, unmet, "SnapshotReadOnly"));
    }
  }

  @Test
  void containersTypesAndMetadataThatAreNone() {
    assertFault(
        "create in an unknown container",
        "NotFound",
        () -> volumes().createVirtualVolume(Wrong.uuid(), "Data", null, 1, DATA));
    assertFault(
        "create in no container",
        "InvalidArgument",
        () -> volumes().createVirtualVolume("container", "Data", null, 1, DATA));
    assertFault(
        "create of a strange type",
        "InvalidArgument",
        () -> volumes().createVirtualVolume(shared.site().container(), "Floppy", null, 1, DATA));
    for (Map<String, String> bad :
        List.of(
            Map.of("", "no key"),
            Map.of("k".repeat(300), "long key"),
            Map.of("key", "v".repeat(9000)))) {
      String what = "metadata " + bad.toString().substring(0, 8);
      assertFault(
          what,
          "InvalidArgument",
          () -> volumes().createVirtualVolume(shared.site().container(), "Data", null, 1, bad));
      assertFault(
          what, "InvalidArgument", () -> volumes().updateVirtualVolumeMetaData(volume, bad));
      assertFault(
          what, "InvalidArgument", () -> snapshots().cloneVirtualVolume(volume, null, null, bad));
    }
    assertFault(
        "metadata of an unknown volume",
        "NotFound",
        () -> volumes().updateVirtualVolumeMetaData(unknown, DATA));
    assertFault(
        "metadata of no volume",
        "InvalidArgument",
        () -> volumes().updateVirtualVolumeMetaData(MALFORMED, DATA));
    assertFault(
        "search for a key that is not searchable",
        "InvalidArgument",
        () -> volumes().queryVirtualVolume(Map.of("VMW_VvolProfile", "x")));
  }

  @Test
  void volumesThatAreNotThere() {
    refusedForUnknownAndMalformed("delete", id -> volumes().deleteVirtualVolume(id));
    refusedForUnknownAndMalformed("resize", id -> volumes().resizeVirtualVolume(id, 8));
    refusedForUnknownAndMalformed(
        "prepare", id -> snapshots().prepareToSnapshotVirtualVolume(id, null, "SnapshotReadOnly"));
    refusedForUnknownAndMalformed("revert", id -> snapshots().revertVirtualVolume(id, snapshot));
    refusedForUnknownAndMalformed("revert to", id -> snapshots().revertVirtualVolume(volume, id));
    refusedForUnknownAndMalformed(
        "fast clone", id -> snapshots().fastCloneVirtualVolume(id, null, DATA));
    refusedForUnknownAndMalformed(
        "clone", id -> snapshots().cloneVirtualVolume(id, null, null, DATA));
    refusedForUnknownAndMalformed(
        "differences of", id -> snapshots().copyDiffsToVirtualVolume(id, snapshot, other));
    refusedForUnknownAndMalformed(
        "differences to", id -> snapshots().copyDiffsToVirtualVolume(volume, id, other));
    refusedForUnknownAndMalformed(
        "differences onto", id -> snapshots().copyDiffsToVirtualVolume(volume, snapshot, id));
    refusedForUnknownAndMalformed(
        "allocated", id -> snapshots().allocatedBitmapVirtualVolume(id, 0, MIB, 4096));
    refusedForUnknownAndMalformed(
        "unshared", id -> snapshots().unsharedBitmapVirtualVolume(volume, id, 0, MIB, 4096));
    refusedForUnknownAndMalformed(
        "chunks", id -> snapshots().unsharedChunksVirtualVolume(id, null, 0, MIB));
    refusedForUnknownAndMalformed(
        "compliance", id -> policies().queryComplianceResult(List.of(id), null, 0));
    assertThat(volumes().queryVirtualVolumeInfo(List.of(unknown, MALFORMED, volume)))
        .extracting(VvolInfo::vvolId)
        .containsExactly(volume);
    assertThat(volumes().spaceStatsForVirtualVolume(List.of(unknown, MALFORMED))).isEmpty();
    for (String id : List.of(unknown, MALFORMED)) {
      assertFault(
          "a policy for " + id,
          "NotFound",
          () ->
              policies().updateStorageProfileForVirtualVolume(id, StorageProfile.noRequirements()));
    }
  }

  @Test
  void snapshotsThatCannotBeTaken() {
    assertFault(
        "a strange type",
        "InvalidArgument",
        () -> snapshots().prepareToSnapshotVirtualVolume(volume, null, "Polaroid"));
    assertFault(
        "a writable snapshot",
        "NotSupported",
        () -> snapshots().prepareToSnapshotVirtualVolume(volume, null, "SnapshotReadWrite"));
    assertFault(
        "a snapshot of a snapshot",
        "NotSupported",
        () -> snapshots().prepareToSnapshotVirtualVolume(snapshot, null, "SnapshotReadOnly"));
    for (long timeout : new long[] {0, -1}) {
      assertFault(
          "a timeout of " + timeout,
          "InvalidArgument",
          () -> snapshots().snapshotVirtualVolume(List.of(prepared(unknown)), timeout));
    }
    assertItemFault("an unknown snapshot", "NotFound", take(unknown));
    assertItemFault("no snapshot", "InvalidArgument", take(MALFORMED));
    assertItemFault("a volume as snapshot", "NotFound", take(volume));
    assertItemFault("a snapshot that is taken", "ResourceInUse", take(snapshot));
  }

  @Test
  void revertsAndDifferencesOfVolumesThatDoNotFit() {
    assertFault(
        "revert to another volume",
        "IncompatibleVolume",
        () -> snapshots().revertVirtualVolume(volume, other));
    assertFault(
        "revert to another volume's snapshot",
        "IncompatibleVolume",
        () -> snapshots().revertVirtualVolume(other, snapshot));
    assertFault(
        "revert of a snapshot",
        "NotSupported",
        () -> snapshots().revertVirtualVolume(snapshot, snapshot));
    assertFault(
        "differences of strangers",
        "IncompatibleVolume",
        () -> snapshots().copyDiffsToVirtualVolume(volume, other, other));
    assertFault(
        "differences onto a snapshot",
        "NotSupported",
        () -> snapshots().copyDiffsToVirtualVolume(volume, snapshot, snapshot));
    assertFault(
        "bitmap of strangers",
        "IncompatibleVolume",
        () -> snapshots().unsharedBitmapVirtualVolume(volume, other, 0, MIB, 4096));
    assertFault(
        "chunks against nothing",
        "IncompatibleVolume",
        () -> snapshots().unsharedChunksVirtualVolume(other, null, 0, MIB));
    for (long[] bad :
        new long[][] {{-4096, MIB, 4096}, {0, 5 * MIB, 4096}, {0, 0, 4096}, {0, MIB, 0}}) {
      assertFault(
          "segment of %d bytes at %d in chunks of %d".formatted(bad[1], bad[0], bad[2]),
          "InvalidArgument",
          () -> snapshots().allocatedBitmapVirtualVolume(volume, bad[0], bad[1], bad[2]));
      assertFault(
          "difference of %d bytes at %d in chunks of %d".formatted(bad[1], bad[0], bad[2]),
          "InvalidArgument",
          () -> snapshots().unsharedBitmapVirtualVolume(volume, snapshot, bad[0], bad[1], bad[2]));
    }
  }

  @Test
  void volumesThatAreBound() {
    VvolDisk disk = shared.site().host().bind(volume);
    assertFault("delete while bound", "ResourceInUse", () -> volumes().deleteVirtualVolume(volume));
    assertFault(
        "revert while bound",
        "ResourceInUse",
        () -> snapshots().revertVirtualVolume(volume, snapshot));
    assertFault(
        "differences onto a bound volume",
        "ResourceInUse",
        () -> snapshots().copyDiffsToVirtualVolume(volume, snapshot, volume));
    shared.site().host().unbind(disk);
  }

  @Test
  void bindsAndUnbindsThatCannotBe() {
    BindingCalls host = shared.site().host().client().bindings();
    BindingCalls vcenter = shared.site().vcenter().client().bindings();
    String elsewhere =
        shared
            .provider()
            .rest()
            .post("containers", "{\"name\": \"elsewhere\", \"quota\": 1073741824}")
            .get("id")
            .asString();
    String foreign =
        shared
            .site()
            .await(volumes().createVirtualVolume(elsewhere, "Data", null, 1, DATA))
            .requireResult();
    VvolDisk disk = shared.site().host().bind(other);

    assertFault(
        "bind across containers",
        "InvalidArgument",
        () -> host.bindVirtualVolume(List.of(volume, foreign), BindingCalls.NORMAL));
    assertFault(
        "bind in a strange context",
        "InvalidArgument",
        () -> host.bindVirtualVolume(List.of(volume), "Sideways"));
    assertFault(
        "unbind in a strange context",
        "InvalidArgument",
        () -> host.unbindVirtualVolume(List.of(disk.handle()), "Sideways"));
    assertFault(
        "unbind from all hosts by a host",
        "StorageFault",
        () -> host.unbindVirtualVolumeFromAllHost(List.of(other)));
    assertFault(
        "unbind of another host's volumes",
        "StorageFault",
        () -> host.unbindAllVirtualVolumesFromHost(Wrong.uuid()));
    assertFault(
        "unbind of an unknown host's volumes",
        "NotFound",
        () -> vcenter.unbindAllVirtualVolumesFromHost(Wrong.uuid()));
    assertFault(
        "unbind of no host's volumes",
        "InvalidArgument",
        () -> vcenter.unbindAllVirtualVolumesFromHost(null));
    assertThat(shared.provider().rest().get("bindings").get("items")).hasSize(1);

    shared.site().host().unbind(disk);
    volumes().deleteVirtualVolume(foreign);
    shared.provider().rest().delete("bin/" + foreign.substring(foreign.indexOf('.') + 1));
    shared.provider().rest().delete("containers/" + elsewhere);
  }

  @Test
  void batchesThatAreTooLong() {
    BindingCalls host = shared.site().host().client().bindings();
    int most = shared.site().host().maxBatchSize();
    assertThat(most).isEqualTo(256);
    List<String> ids = Collections.nCopies(most + 1, volume);
    VvolHandle handle;
    VvolDisk disk = shared.site().host().bind(volume);
    handle = disk.handle();

    assertTooMany(() -> host.bindVirtualVolume(ids, BindingCalls.NORMAL));
    assertTooMany(
        () -> host.unbindVirtualVolume(Collections.nCopies(most + 1, handle), BindingCalls.NORMAL));
    assertTooMany(
        () -> shared.site().vcenter().client().bindings().unbindVirtualVolumeFromAllHost(ids));
    assertTooMany(() -> volumes().queryVirtualVolumeInfo(ids));
    assertTooMany(() -> volumes().spaceStatsForVirtualVolume(ids));
    assertTooMany(
        () ->
            snapshots()
                .snapshotVirtualVolume(Collections.nCopies(most + 1, prepared(unknown)), 1000));
    assertThat(volumes().queryVirtualVolumeInfo(ids.subList(0, most))).hasSize(1);
    assertThat(shared.provider().rest().get("bindings").get("items").get(0).get("count").asInt())
        .isEqualTo(1);
    shared.site().host().unbind(disk);
  }

  @Test
  void policiesTasksAndSchemasThatAreNotThere() {
    VasaClient client = shared.site().vcenter().client();
    String uuid = Wrong.uuid();

    assertFault(
        "a schema", "NotFound", () -> policies().queryCapabilityMetadata(List.of("unknown")));
    assertFault("a profile", "NotFound", () -> policies().queryCapabilityProfile(List.of(uuid)));
    assertFault(
        "profiles of an unknown resource",
        "NotFound",
        () -> policies().queryCapabilityProfileForResource(List.of(uuid)));
    assertFault(
        "profiles of no resource",
        "InvalidArgument",
        () -> policies().queryCapabilityProfileForResource(List.of("resource")));
    assertFault(
        "defaults of an unknown container",
        "NotFound",
        () -> policies().queryDefaultProfileForStorageContainer(uuid, List.of("Data")));
    assertFault(
        "defaults of no container",
        "InvalidArgument",
        () -> policies().queryDefaultProfileForStorageContainer("container", List.of("Data")));
    assertFault(
        "defaults for a strange type",
        "InvalidArgument",
        () ->
            policies()
                .queryDefaultProfileForStorageContainer(
                    shared.site().container(), List.of("Floppy")));
    String task = "createVirtualVolume:" + uuid;
    assertFault("a task", "NotFound", () -> client.tasks().getTaskUpdate(task));
    assertFault("cancelling a task", "NotFound", () -> client.tasks().cancelTask(task));
    for (String none : List.of(" ", "createVirtualVolume:x")) {
      assertFault("no task", "InvalidArgument", () -> client.tasks().getTaskUpdate(none));
      assertFault("cancelling no task", "InvalidArgument", () -> client.tasks().cancelTask(none));
    }
    assertFault(
        "tasks of another array",
        "NotFound",
        () -> client.tasks().getCurrentTask("StorageArray:" + uuid));
  }

  private interface Call {
    void on(String id);
  }

  private void refusedForUnknownAndMalformed(String what, Call call) {
    assertFault(what + " an unknown volume", "NotFound", () -> call.on(unknown));
    assertFault(what + " no volume", "InvalidArgument", () -> call.on(MALFORMED));
  }

  private static void assertTooMany(ThrowingCallable call) {
    Assertions.assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            VasaFault.class,
            fault -> {
              assertThat(fault.name()).isEqualTo("TooMany");
              assertThat(fault.fields()).containsEntry("maxBatchSize", "256");
            });
  }

  private static StorageProfile profile(String namespace, String id, String value) {
    return StorageProfile.of(
        id + " " + value, List.of(Capability.of(namespace, id, PropertyValue.text(value))));
  }

  private static ThrowingCallable create(long sizeMb, StorageProfile profile) {
    return () ->
        volumes().createVirtualVolume(shared.site().container(), "Data", profile, sizeMb, DATA);
  }

  private static List<io.coppice.driver.soap.BatchStatus> take(String id) {
    return snapshots().snapshotVirtualVolume(List.of(prepared(id)), 1000);
  }

  private static VvolInfo prepared(String id) {
    return new VvolInfo(id, DATA);
  }

  private static VolumeCalls volumes() {
    return shared.site().host().client().volumes();
  }

  private static SnapshotCalls snapshots() {
    return shared.site().host().client().snapshots();
  }

  private static PolicyCalls policies() {
    return shared.site().host().client().policies();
  }
}

package io.coppice.it;

import static io.coppice.it.Faults.assertFault;
import static io.coppice.it.Faults.assertItemFault;
import static io.coppice.it.Faults.assertItemFaults;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.driver.esxi.VvolDisk;
import io.coppice.driver.pki.CertificateAuthority;
import io.coppice.driver.pki.Identity;
import io.coppice.driver.pki.Pem;
import io.coppice.driver.scsi.ScsiException;
import io.coppice.driver.soap.BatchStatus;
import io.coppice.driver.soap.BindResult;
import io.coppice.driver.soap.BindingCalls;
import io.coppice.driver.soap.Capability;
import io.coppice.driver.soap.PropertyValue;
import io.coppice.driver.soap.ProviderInfo;
import io.coppice.driver.soap.SnapshotCalls;
import io.coppice.driver.soap.SpaceStats;
import io.coppice.driver.soap.StorageProfile;
import io.coppice.driver.soap.TaskInfo;
import io.coppice.driver.soap.UsageContext;
import io.coppice.driver.soap.VasaClient;
import io.coppice.driver.soap.VasaFault;
import io.coppice.driver.soap.VvolHandle;
import io.coppice.driver.soap.VvolInfo;
import io.coppice.harness.RestClient;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// VASA operations that the demo has no use for, against a whole provider over TLS, every reply
/// checked against the schemas.
class VasaOperationsIT {

  private static final long MIB = 1 << 20;

  @RegisterExtension private static final SharedSite shared = new SharedSite();

  @Test
  void certificatesOfTheRegistrationAreListedAndRefreshed() {
    VasaClient client = shared.site().vcenter().client();

    assertThat(client.registration().queryCACertificates()).isNotEmpty();
    assertThat(client.registration().queryCACertificateRevocationLists()).isNotEmpty();
    shared.site().vcenter().refreshTrust(List.of());

    assertThat(client.registration().queryCACertificates()).isNotEmpty();
  }

  @Test
  void volumesAreFoundDescribedResizedAndMeasured() {
    VasaClient client = shared.site().host().client();
    String id =
        shared.site().create("Data", 16, Map.of("VMW_VVolName", "found", "VMW_VmID", "vm-1"));

    assertThat(client.volumes().queryVirtualVolume(Map.of("VMW_VVolName", "found")))
        .containsExactly(id);
    client.volumes().updateVirtualVolumeMetaData(id, Map.of("VMW_VVolName", "renamed"));
    assertThat(client.volumes().queryVirtualVolumeInfo(List.of(id)))
        .extracting(VvolInfo::metadata)
        .singleElement()
        .satisfies(metadata -> assertThat(metadata).containsEntry("VMW_VVolName", "renamed"));
    shared.site().await(client.volumes().resizeVirtualVolume(id, 32));

    assertThat(client.volumes().spaceStatsForVirtualVolume(List.of(id)))
        .singleElement()
        .satisfies(stats -> assertThat(stats.logical()).isEqualTo(32));
    assertThat(
            client.inventory().spaceStatsForStorageContainer(shared.site().container(), List.of()))
        .hasSize(1);
    client.volumes().deleteVirtualVolume(id);
    assertThat(client.volumes().queryVirtualVolumeInfo(List.of(id))).isEmpty();
  }

  @Test
  void bitmapsTellWhatASnapshotDoesNotShareAndDiffsAreCopied() {
    SnapshotCalls snapshots = shared.site().host().client().snapshots();
    String id = shared.site().create("Data", 4, Map.of());
    shared.site().write(id, 0, 1);
    String base = shared.site().snapshot(id);
    shared.site().write(id, 2 * MIB, 2);
    String later = shared.site().snapshot(id);

    assertThat(snapshots.allocatedBitmapVirtualVolume(later, 0, 4 * MIB, MIB).stream().boxed())
        .containsExactly(0, 2);
    assertThat(snapshots.unsharedBitmapVirtualVolume(later, base, 0, 4 * MIB, MIB).stream().boxed())
        .containsExactly(2);
    assertThat(snapshots.unsharedChunksVirtualVolume(later, base, 0, 4 * MIB).unsharedChunks())
        .isPositive();
    String copy =
        shared
            .site()
            .await(snapshots.fastCloneVirtualVolume(base, null, Map.of("VMW_VVolType", "Data")))
            .requireResult();
    shared.site().await(snapshots.copyDiffsToVirtualVolume(later, base, copy));
    assertThat(shared.site().read(copy, 2 * MIB)).isEqualTo((byte) 2);
    assertThat(shared.site().read(copy, 0)).isEqualTo((byte) 1);
    List.of(base, later, copy, id)
        .forEach(shared.site().host().client().volumes()::deleteVirtualVolume);
  }

  @Test
  void everyFormOfUnbindEndsABinding() {
    VasaClient host = shared.site().host().client();
    String id = shared.site().create("Data", 4, Map.of());

    VvolDisk first = shared.site().host().bind(id);
    assertThatThrownBy(() -> host.volumes().deleteVirtualVolume(id))
        .isInstanceOf(VasaFault.class)
        .hasMessageContaining("ResourceInUse");
    shared.site().host().unbind(first);
    shared.site().host().bind(id);
    BatchStatus.requireAllGood(
        shared.site().vcenter().client().bindings().unbindVirtualVolumeFromAllHost(List.of(id)));
    shared.site().host().bind(id);
    shared.site().host().unbindAll();

    host.volumes().deleteVirtualVolume(id);
    assertThat(host.volumes().queryVirtualVolumeInfo(List.of(id))).isEmpty();
  }

  @Test
  void tasksAreKeptAndOnesThatEndedCannotBeCancelled() {
    VasaClient client = shared.site().host().client();
    TaskInfo created =
        shared
            .site()
            .await(
                client
                    .volumes()
                    .createVirtualVolume(
                        shared.site().container(),
                        "Data",
                        null,
                        4,
                        Map.of("VMW_VVolType", "Data")));

    assertThat(client.tasks().getTaskUpdate(created.taskId()).requireResult())
        .isEqualTo(created.requireResult());
    assertThat(client.tasks().getCurrentTask(null)).isNotNull();
    assertThatThrownBy(() -> client.tasks().cancelTask(created.taskId()))
        .isInstanceOf(VasaFault.class)
        .hasMessageContaining("NotCancellable");
    client.volumes().deleteVirtualVolume(created.requireResult());
  }

  @Test
  void aPolicyChangesAndComplianceFollows() {
    VasaClient client = shared.site().host().client();
    shared
        .provider()
        .rest()
        .post("policies", "{\"name\": \"thick\", \"spaceEfficiency\": \"thick\"}");
    StorageProfile thick =
        client.policies().queryCapabilityProfile(List.of()).stream()
            .filter(profile -> profile.name().equals("thick"))
            .findFirst()
            .orElseThrow();
    String id = shared.site().create("Data", 8, Map.of());

    shared.site().await(client.policies().updateStorageProfileForVirtualVolume(id, thick));

    assertThat(client.policies().queryComplianceResult(List.of(id), null, 0))
        .singleElement()
        .satisfies(result -> assertThat(result.status()).isEqualTo("compliant"));
    assertThat(
            shared
                .provider()
                .rest()
                .get("vvols/" + id.replace("rfc4122.", ""))
                .get("reserved")
                .asLong())
        .isEqualTo(8 * MIB);
    assertThatThrownBy(
            () ->
                client
                    .policies()
                    .updateStorageProfileForVirtualVolume(
                        id,
                        StorageProfile.of(
                            "odd", List.of(Capability.of("", "", PropertyValue.text("Thick"))))))
        .isInstanceOf(VasaFault.class)
        .hasMessageContaining("InvalidProfile");
    client.volumes().deleteVirtualVolume(id);
  }

  @Test
  void aBindIsCountedAndEachUnbindTakesOneBack() {
    VasaClient host = shared.site().host().client();
    String id = shared.site().create("Data", 4, Map.of());

    VvolDisk first = shared.site().host().bind(id);
    VvolDisk second = shared.site().host().bind(id);
    assertThat(second.handle()).isEqualTo(first.handle());
    assertThat(bindCount(id)).isEqualTo(2);

    shared.site().host().unbind(first);
    assertThat(bindCount(id)).isEqualTo(1);
    second.disk().read(0, ByteBuffer.allocate(4096));
    assertItemFault(
        "unbind under another secondary id",
        "InvalidArgument",
        unbind(new VvolHandle(id, first.handle().endpoint(), "0xd2fffffe")));
    assertThat(bindCount(id)).isEqualTo(1);

    shared.site().host().unbind(second);
    assertThat(bindCount(id)).isZero();
    assertItemFault("one unbind too many", "NotFound", unbind(first.handle()));
    assertThatThrownBy(() -> second.disk().read(0, ByteBuffer.allocate(4096)))
        .isInstanceOf(ScsiException.class);
    host.volumes().deleteVirtualVolume(id);
    assertItemFault("unbind of what is gone", "NotFound", unbind(first.handle()));
  }

  @Test
  void aBatchOfBindsAnswersForEachOfItsVolumes() {
    BindingCalls host = shared.site().host().client().bindings();
    String id = shared.site().create("Data", 4, Map.of());
    String unknown = Wrong.volumeId();

    List<BindResult> results =
        host.bindVirtualVolume(List.of(unknown, id, "no id"), BindingCalls.NORMAL);

    assertThat(results)
        .extracting(result -> result.fault() == null ? "" : result.fault().name())
        .containsExactly("NotFound", "", "InvalidArgument");
    VvolHandle handle = results.get(1).requireHandle();
    assertThat(results.get(1).logicalSizeMb()).isEqualTo(4);
    assertItemFaults(
        host.unbindVirtualVolume(
            List.of(
                new VvolHandle(unknown, handle.endpoint(), handle.secondaryId()),
                handle,
                new VvolHandle("no id", handle.endpoint(), handle.secondaryId())),
            BindingCalls.NORMAL),
        "NotFound",
        "",
        "InvalidArgument");
    assertItemFaults(
        shared
            .site()
            .vcenter()
            .client()
            .bindings()
            .unbindVirtualVolumeFromAllHost(List.of(unknown, id, "no id")),
        "NotFound",
        "",
        "InvalidArgument");
    shared.site().host().client().volumes().deleteVirtualVolume(id);
  }

  @Test
  void aRevertBringsContentAndSizeBackAndTheSnapshotStays() {
    VasaClient host = shared.site().host().client();
    String id = shared.site().create("Data", 4, Map.of());
    shared.site().write(id, MIB, 1);
    String snapshot = shared.site().snapshot(id);
    shared.site().write(id, MIB, 2);
    shared.site().await(host.volumes().resizeVirtualVolume(id, 8));

    shared.site().await(host.snapshots().revertVirtualVolume(id, snapshot));

    assertThat(shared.site().read(id, MIB)).isEqualTo((byte) 1);
    assertThat(host.volumes().spaceStatsForVirtualVolume(List.of(id, snapshot)))
        .extracting(SpaceStats::logical)
        .containsExactly(4L, 4L);
    shared.site().write(id, MIB, 3);
    assertThat(shared.site().read(snapshot, MIB)).isEqualTo((byte) 1);
    List.of(snapshot, id).forEach(host.volumes()::deleteVirtualVolume);
  }

  /// As it stands in an administrator's path.
  private static String uuid(String vvol) {
    return vvol.substring(vvol.indexOf('.') + 1);
  }

  @Test
  void whatVcenterDeletesAndRevertsAnAdministratorBringsBack() {
    VasaClient host = shared.site().host().client();
    RestClient rest = shared.provider().rest();
    String id = shared.site().create("Data", 4, Map.of("VMW_VVolName", "kept"));
    shared.site().write(id, MIB, 1);
    String snapshot = shared.site().snapshot(id);
    shared.site().write(id, MIB, 2);
    shared.site().await(host.snapshots().revertVirtualVolume(id, snapshot));
    List.of(id, snapshot).forEach(host.volumes()::deleteVirtualVolume);

    assertThat(host.volumes().queryVirtualVolumeInfo(List.of(id, snapshot))).isEmpty();
    assertThat(host.volumes().queryVirtualVolume(Map.of("VMW_VVolName", "kept"))).isEmpty();
    assertThat(host.volumes().spaceStatsForVirtualVolume(List.of(id, snapshot))).isEmpty();
    assertThatThrownBy(() -> shared.site().host().bind(id)).hasMessageContaining("NotFound");
    List.of(id, snapshot).forEach(each -> rest.post("bin/" + uuid(each) + "/restore", ""));
    assertThat(host.volumes().queryVirtualVolume(Map.of("VMW_VVolName", "kept")))
        .containsExactly(id);
    assertThat(shared.site().read(id, MIB)).isEqualTo((byte) 1);

    String copy =
        rest.get("bin?kind=safety-copy")
            .get("items")
            .valueStream()
            .filter(item -> item.get("vvol").asString().equals(uuid(id)))
            .findFirst()
            .orElseThrow()
            .get("id")
            .asString();
    rest.post("bin/" + copy + "/restore", "");
    assertThat(shared.site().read(id, MIB)).isEqualTo((byte) 2);
    List.of(snapshot, id).forEach(host.volumes()::deleteVirtualVolume);
  }

  @Test
  void metadataIsPutReplacedAndRemoved() {
    VasaClient host = shared.site().host().client();
    String id = shared.site().create("Data", 1, Map.of("VMW_VVolName", "a", "VMW_VmID", "vm-9"));

    host.volumes()
        .updateVirtualVolumeMetaData(id, Map.of("VMW_VVolName", "b <&> \u00e4", "own", ""));
    host.volumes().removeMetaData(id, List.of("VMW_VmID", "never there"));

    assertThat(host.volumes().queryVirtualVolumeInfo(List.of(id)))
        .singleElement()
        .satisfies(
            info ->
                assertThat(info.metadata())
                    .containsEntry("VMW_VVolName", "b <&> \u00e4")
                    .containsEntry("VMW_VVolType", "Data")
                    .containsEntry("own", "")
                    .doesNotContainKeys("VMW_VmID", "never there"));
    assertThat(host.volumes().queryVirtualVolume(Map.of("VMW_VmID", "vm-9"))).isEmpty();
    host.volumes().deleteVirtualVolume(id);
  }

  @Test
  void anOldRegistrationTrustsTheOneCertificateItBrings() {
    CertificateAuthority authority = CertificateAuthority.create("old style");
    Identity registered = authority.issueClient("old vCenter");
    String pem = Pem.encode(registered.certificate());
    try (VasaClient client = Wrong.client(shared.site(), registered);
        VasaClient neighbour = Wrong.client(shared.site(), authority.issueClient("neighbour"))) {
      String password = shared.provider().process().vasaPassword();
      UsageContext context = UsageContext.ofVcenter(Wrong.uuid());
      assertFault(
          "before it is registered",
          VasaFault.INVALID_SESSION,
          () -> client.sessions().setContext(context));
      assertFault(
          "registration of no certificate",
          "InvalidCertificate",
          () -> client.registration().registerVASACertificate("vasa", password, "no certificate"));
      assertFault(
          "registration with a wrong password",
          "InvalidLogin",
          () -> client.registration().registerVASACertificate("vasa", "wrong", pem));
      assertFault(
          "after registrations that failed",
          VasaFault.INVALID_SESSION,
          () -> client.sessions().setContext(context));

      ProviderInfo info = client.registration().registerVASACertificate("vasa", password, pem);

      assertThat(info.sessionId()).isEqualTo("0");
      assertThat(info.uid()).isEqualTo(shared.site().vcenter().info().uid());
      client.sessions().setContext(context);
      assertThat(client.registration().queryCACertificates())
          .extracting(Pem::certificate)
          .containsExactly(registered.certificate());
      assertFault(
          "another certificate of the same issuer",
          VasaFault.INVALID_SESSION,
          () -> neighbour.sessions().setContext(UsageContext.ofVcenter(Wrong.uuid())));
      client.registration().unregisterVASACertificate(pem);
      assertFault(
          "after it was unregistered",
          VasaFault.INVALID_SESSION,
          () -> client.sessions().setContext(context));
    }
  }

  private static List<BatchStatus> unbind(VvolHandle handle) {
    return shared
        .site()
        .host()
        .client()
        .bindings()
        .unbindVirtualVolume(List.of(handle), BindingCalls.NORMAL);
  }

  /// How often the host has bound the volume, as the management side sees it.
  private static int bindCount(String id) {
    var bindings =
        shared.provider().rest().get("bindings?vvol=" + id.replace("rfc4122.", "")).get("items");
    return bindings.isEmpty() ? 0 : bindings.get(0).get("count").asInt();
  }
}

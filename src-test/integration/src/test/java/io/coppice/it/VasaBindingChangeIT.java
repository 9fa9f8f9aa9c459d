package io.coppice.it;

import static io.coppice.it.Faults.assertFault;
import static io.coppice.it.Faults.assertItemFault;
import static io.coppice.it.Faults.assertItemFaults;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.esxi.VvolDisk;
import io.coppice.driver.soap.BatchStatus;
import io.coppice.driver.soap.BindingCalls;
import io.coppice.driver.soap.CallLog;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.soap.TaskInfo;
import io.coppice.driver.soap.VvolHandle;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Announced moves of bindings between hosts, and the context of a container: over TLS, with two
/// hosts.
class VasaBindingChangeIT {

  @RegisterExtension private static final SharedSite shared = new SharedSite();

  private EsxiHost destination;
  private String volume;
  private VvolDisk disk;

  @BeforeEach
  void bind() {
    destination =
        EsxiHost.of(
            shared.site().vcenter(),
            "esxi-other",
            ClientOptions.defaults().withSchemas(null),
            new CallLog());
    destination.openSession();
    destination.declare();
    volume = shared.site().create("Data", 1, Map.of());
    disk = shared.site().host().bind(volume);
  }

  @AfterEach
  void unbind() {
    shared.site().vcenter().client().bindings().unbindVirtualVolumeFromAllHost(List.of(volume));
    shared.site().host().client().volumes().deleteVirtualVolume(volume);
    destination.close();
  }

  @Test
  void aMoveIsPreparedMadeAndCompleted() {
    TaskInfo task = source().prepareForBindingChange(List.of(volume), destination.uuid());
    assertThat(task.state()).isEqualTo(TaskInfo.SUCCESS);
    assertThat(task.name()).isEqualTo("prepareForBindingChange");

    assertItemFault("too early", "InvalidArgument", complete(volume));
    VvolHandle handle =
        destination
            .client()
            .bindings()
            .bindVirtualVolume(List.of(volume), BindingCalls.NORMAL)
            .getFirst()
            .requireHandle();
    assertThat(handle.secondaryId()).isEqualTo(disk.handle().secondaryId());
    BatchStatus.requireAllGood(complete(volume));

    assertItemFault("twice", "NotFound", complete(volume));
    assertThat(bindings()).isEqualTo(2);
    shared.site().host().unbind(disk);
    assertThat(bindings()).isEqualTo(1);
  }

  @Test
  void aMoveIsTakenBack() {
    source().prepareForBindingChange(List.of(volume), destination.uuid());

    BatchStatus.requireAllGood(source().cancelBindingChange(List.of(volume)));

    assertItemFault("twice", "NotFound", source().cancelBindingChange(List.of(volume)));
    assertThat(bindings()).isEqualTo(1);
  }

  @Test
  void movesThatCannotBe() {
    String unknown = Wrong.volumeId();
    assertFault("an unknown volume", "NotFound", () -> prepare(destination.uuid(), unknown));
    assertFault("an unknown host", "NotFound", () -> prepare(Wrong.uuid(), volume));
    for (String host : List.of("", "a/b", "x".repeat(300))) {
      assertFault("the host '" + host + "'", "InvalidArgument", () -> prepare(host, volume));
    }
    assertFault("no volume", "InvalidArgument", () -> prepare(destination.uuid()));
    assertFault("a bad id", "InvalidArgument", () -> prepare(destination.uuid(), "rfc4122.x"));
    assertFault(
        "the host that has it",
        "InvalidArgument",
        () -> prepare(shared.site().host().uuid(), volume));
    assertFault(
        "no volume to complete",
        "InvalidArgument",
        () -> destination.client().bindings().bindingChangeComplete(List.of()));
    assertFault(
        "no volume to cancel",
        "InvalidArgument",
        () -> destination.client().bindings().cancelBindingChange(List.of()));
    List<String> bad = List.of(volume, unknown, "rfc4122.x");
    assertItemFaults(
        source().bindingChangeComplete(bad), "NotFound", "NotFound", "InvalidArgument");
    assertItemFaults(source().cancelBindingChange(bad), "NotFound", "NotFound", "InvalidArgument");
    assertThat(bindings()).isEqualTo(1);
  }

  @Test
  void aContainersCookieIsTheSameForTheSameUser() {
    String container = shared.site().container();
    String cookie = context(container, "user");

    assertThat(cookie).isNotBlank().isEqualTo(context(container, "user"));
    assertThat(context(container, "another")).isNotEqualTo(cookie);
    assertFault("an unknown container", "NotFound", () -> context(Wrong.uuid(), "user"));
    assertFault("no container", "InvalidArgument", () -> context("container", "user"));
    assertFault("no user", "InvalidArgument", () -> context(container, " "));
    assertFault("a long user", "InvalidArgument", () -> context(container, "u".repeat(256)));
  }

  private static String context(String container, String user) {
    return shared.site().host().client().inventory().setStorageContainerContext(container, user);
  }

  private void prepare(String host, String... volumes) {
    destination.client().bindings().prepareForBindingChange(List.of(volumes), host);
  }

  private static List<BatchStatus> complete(String id) {
    return source().bindingChangeComplete(List.of(id));
  }

  private static BindingCalls source() {
    return shared.site().host().client().bindings();
  }

  private int bindings() {
    return shared
        .provider()
        .rest()
        .get("bindings?vvol=" + volume.replace("rfc4122.", ""))
        .get("items")
        .size();
  }
}

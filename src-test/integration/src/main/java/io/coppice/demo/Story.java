package io.coppice.demo;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.esxi.VirtualMachine;
import io.coppice.driver.esxi.VmSnapshot;
import io.coppice.driver.esxi.VmSpec;
import io.coppice.driver.iscsi.DiscoveredTarget;
import io.coppice.driver.iscsi.Discovery;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.soap.CallLog;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.soap.StorageProfile;
import io.coppice.driver.vcenter.Inventory;
import io.coppice.driver.vcenter.VCenter;
import io.coppice.harness.DiskTransfer;
import io.coppice.harness.GuestDisk;
import io.coppice.harness.Mismatch;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import io.coppice.harness.WriteLoad;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The life of a virtual machine, step by step. Every step ends with what must be true after it.
final class Story implements AutoCloseable {

  static final String CONTAINER = "demo";
  static final String POLICY = "gold";

  private static final long MIB = 1 << 20;
  private static final int SCRATCH_MIB = 64;
  private static final int LOAD_SLOTS = 4096;
  private static final int CLONES = 7;

  private final DemoOptions options;
  private final ProviderProcess provider;
  private final RestClient rest;
  private final Path folder;
  private final Report report;
  private final CallLog calls = new CallLog();
  private final Meter meter;
  private final VCenter vcenter;
  private final List<VirtualMachine> clones = new ArrayList<>();
  private @Nullable EsxiHost host;
  private @Nullable VirtualMachine vm;
  private @Nullable GuestDisk guest;

  Story(
      DemoOptions options, ProviderProcess provider, RestClient rest, Path folder, Report report) {
    this.options = options;
    this.provider = provider;
    this.rest = rest;
    this.folder = folder;
    this.report = report;
    this.vcenter = new VCenter("vcenter.demo", ClientOptions.defaults(), calls);
    this.meter =
        new Meter(
            provider, rest, calls, () -> host == null ? 0 : host.counters().read().bytes(), report);
  }

  void run() {
    meter.step("register with vCenter", this::register);
    String container = createContainerAndPolicy();
    meter.watch(container);
    meter.step("host: session, endpoints", this::connectHost);
    meter.step("create VM, power on", () -> createVm(container));
    String fresh = meter.step("write the guest's disk", this::writeGuestDisk).digest();
    Copies copies = new Copies(meter, options.diskMib() * MIB);
    String[] memory = {""};
    meter.step(
        "save the VM's memory",
        () -> {
          memory[0] = vm().saveMemory("before");
          return Meter.Outcome.NOTHING;
        });
    VmSnapshot snapshot = copies.snapshot(() -> vm().snapshot("before", memory[0]));
    String changed = meter.step("change files", this::changeFiles).digest();
    WriteLoad load = new WriteLoad(() -> vm().disks().get(1).unit(), 0, LOAD_SLOTS);
    meter.stepWithRestart("kill -9 under load, start again", () -> killUnderLoad(load, changed));
    vm().powerOff();
    for (int i = 1; i <= CLONES; i++) {
      String name = "clone-" + i;
      clones.add(
          copies.clone(
              "clone the VM, off (%d of %d)".formatted(i, CLONES), () -> vm().cloneFull(name)));
    }
    meter.step("read all clones", () -> readClones(changed));
    vm().powerOn();
    clones.add(copies.cloneUnderLoad(load, () -> vm().cloneFull("clone-running")));
    meter.step("check the clone of the running VM", () -> checkRunningClone(copies, load, changed));
    PlainLun.check(rest, provider, clones.getFirst().diskIds().getFirst(), guest(), folder, report);
    copies.revert(vm(), snapshot, load.regionBytes());
    meter.step("read the reverted disk, memory", () -> readReverted(snapshot, fresh));
    if (options.keep()) {
      return; // the machines, their snapshots and what was copied are there to be looked at
    }
    meter.step("delete all VMs", this::deleteAll);
    deleteScheduledSnapshots();
    copies.expectSpaceBack(SCRATCH_MIB * MIB);
    meter.step("unregister", this::unregister);
  }

  // --- the steps
  // ------------------------------------------------------------------------------------

  private Meter.Outcome register() {
    try {
      vcenter.register(
          provider.vasa().resolve("/vasa/version.xml"), "vasa", provider.vasaPassword());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Inventory inventory = vcenter.sync();
    require(!inventory.arrays().isEmpty(), "an array in the inventory", inventory.arrays());
    return Meter.Outcome.NOTHING;
  }

  private String createContainerAndPolicy() {
    String container =
        rest.post("containers", "{\"name\": \"%s\", \"quota\": %d}".formatted(CONTAINER, 1L << 40))
            .get("id")
            .asString();
    rest.post(
        "policies",
        """
        {"name": "%s", "description": "thin, a snapshot every hour, kept for a day",
         "spaceEfficiency": "thin", "snapshotInterval": "PT1H", "snapshotRetention": "P1D"}"""
            .formatted(POLICY));
    return container;
  }

  private Meter.Outcome connectHost() {
    EsxiHost fresh = EsxiHost.of(vcenter, "esxi-1", ClientOptions.defaults(), calls);
    host = fresh;
    fresh.openSession();
    DiscoveredTarget target =
        Discovery.sendTargets(provider.portal(), LoginSettings.of(fresh.initiatorName(), 1))
            .stream()
            .filter(found -> found.name().endsWith(":pe"))
            .findFirst()
            .orElseThrow(
                () -> new Mismatch("expected discovery to show the target of the endpoints"));
    fresh.connect(provider.portal(), target.name());
    return Meter.Outcome.NOTHING;
  }

  private Meter.Outcome createVm(String container) {
    Inventory inventory = vcenter.sync();
    StorageProfile policy =
        inventory.profiles().stream()
            .filter(profile -> profile.name().equals(POLICY))
            .findFirst()
            .orElseThrow(
                () ->
                    new Mismatch(
                        "expected the policy made through REST in queryCapabilityProfile"));
    VmSpec spec =
        new VmSpec(
            "guest",
            container,
            4096,
            List.of((long) options.diskMib(), (long) SCRATCH_MIB),
            64,
            policy);
    vm = VirtualMachine.create(host(), spec);
    vm().powerOn();
    return Meter.Outcome.NOTHING;
  }

  private Meter.Outcome writeGuestDisk() {
    GuestDisk made = GuestDisk.make(folder, options.diskMib() * MIB, options.diskMib() * MIB / 3);
    guest = made;
    DiskTransfer.writeChanges(disk(), made.image(), null);
    return expectDisk(DiskTransfer.sha256(made.image()));
  }

  private Meter.Outcome changeFiles() {
    Path before = folder.resolve("before.img");
    try {
      Files.copy(guest().image(), before, StandardCopyOption.REPLACE_EXISTING);
      guest().change(1);
      DiskTransfer.writeChanges(disk(), guest().image(), before);
      Files.delete(before);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return expectDisk(DiskTransfer.sha256(guest().image()));
  }

  private Meter.Outcome killUnderLoad(WriteLoad load, String expected) {
    load.start();
    load.await(2_000);
    provider.kill();
    load.join();
    require(load.wasCutOff(), "the write load to be cut off by the kill", "it went on");
    long[] acknowledged = load.acknowledgedNow();

    long start = System.nanoTime();
    provider.start();
    provider.awaitPortal(Duration.ofSeconds(30));
    host().reconnect(Duration.ofSeconds(30));
    vm().disks().get(1).unit().read(0, 8, 512);
    Duration resumed = Duration.ofNanos(System.nanoTime() - start);
    provider.awaitReady(Duration.ofSeconds(60));
    int filled = load.verify(vm().disks().get(1).unit(), acknowledged);
    report.fact("acknowledged writes before the kill", load.acknowledgedWrites());
    report.fact("blocks checked", filled);
    report.fact("milliseconds from start to the first I/O of a bound vVol", resumed.toMillis());
    host().reopenSession(Duration.ofSeconds(60));
    vcenter.openSession();
    return expectDisk(expected);
  }

  private Meter.Outcome readClones(String expected) {
    for (VirtualMachine clone : clones) {
      String digest = Copies.digestOf(clone, options.diskMib() * MIB);
      require(digest.equals(expected), "%s to hold %s".formatted(clone.name(), expected), digest);
    }
    return Meter.Outcome.disk(expected);
  }

  private Meter.Outcome checkRunningClone(Copies copies, WriteLoad load, String expected) {
    VirtualMachine clone = clones.getLast();
    clone.bindDisks();
    load.verify(clone.disks().get(1).unit(), copies.acknowledgedBeforeClone());
    clone.unbindDisks();
    String digest = Copies.digestOf(clone, options.diskMib() * MIB);
    require(digest.equals(expected), "the clone of the running VM to hold " + expected, digest);
    load.verify(vm().disks().get(1).unit(), load.acknowledgedNow());
    return Meter.Outcome.disk(digest);
  }

  private Meter.Outcome expectDisk(String expected) {
    String digest = DiskTransfer.sha256(disk(), options.diskMib() * MIB);
    require(digest.equals(expected), "the disk to hold " + expected, digest);
    return Meter.Outcome.disk(digest);
  }

  private Meter.Outcome readReverted(VmSnapshot snapshot, String expected) {
    vm().checkMemory(snapshot);
    return expectDisk(expected);
  }

  private Meter.Outcome deleteAll() {
    clones.forEach(VirtualMachine::delete);
    clones.clear();
    vm().delete();
    return Meter.Outcome.NOTHING;
  }

  /// The policy asks for a snapshot every hour, at a time that the machine's id determines, so one
  /// may have been taken meanwhile. It is kept for a day, whatever becomes of the machine.
  private void deleteScheduledSnapshots() {
    for (JsonNode snapshot : rest.get("snapshots?kind=scheduled").get("items")) {
      rest.delete("snapshots/" + snapshot.get("id").asString());
    }
  }

  private Meter.Outcome unregister() {
    vcenter.pollEvents();
    vcenter.pollAlarms();
    vcenter.unregister();
    return Meter.Outcome.NOTHING;
  }

  // --- what it stands on
  // ----------------------------------------------------------------------------

  private LogicalUnit disk() {
    return vm().disks().getFirst().unit();
  }

  private VirtualMachine vm() {
    return known(vm, "a virtual machine");
  }

  private EsxiHost host() {
    return known(host, "a host");
  }

  private GuestDisk guest() {
    return known(guest, "a guest disk");
  }

  private static <T> T known(@Nullable T value, String what) {
    if (value == null) {
      throw new Mismatch("expected %s to exist by now".formatted(what));
    }
    return value;
  }

  static void require(boolean holds, String expected, Object found) {
    if (!holds) {
      throw new Mismatch("expected %s, got %s".formatted(expected, found));
    }
  }

  @Override
  public void close() {
    if (host != null) {
      host.close();
    }
    vcenter.close();
  }
}

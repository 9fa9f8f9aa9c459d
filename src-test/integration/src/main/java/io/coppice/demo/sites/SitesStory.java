package io.coppice.demo.sites;

import io.coppice.driver.esxi.VirtualMachine;
import io.coppice.driver.esxi.VmSpec;
import io.coppice.driver.esxi.VvolDisk;
import io.coppice.driver.scsi.TransportException;
import io.coppice.harness.Mismatch;
import io.coppice.sites.GroupEnd;
import io.coppice.sites.Site;
import io.coppice.sites.SiteHost;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The way of a virtual machine to the second site and back, step by step. Every step prints a line
/// and ends with what must be true after it.
final class SitesStory implements AutoCloseable {

  private static final String CONTAINER = "demo";
  private static final int INTERVAL_SECONDS = 5;
  private static final int SECTOR = 512;
  private static final int SOME_WRITES = 500;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Site first;
  private final Site second;
  private final PrintStream out;
  private final KnownDisk known;
  private final List<SiteHost> hosts = new ArrayList<>();
  private final Instant begin = Instant.now();
  private @Nullable VirtualMachine vm;
  private String group = "";
  private List<VvolDisk> there = List.of();
  private volatile int sent;
  private volatile int answered;

  SitesStory(Site first, Site second, int diskMib, PrintStream out) {
    this.first = first;
    this.second = second;
    this.out = out;
    known = new KnownDisk(diskMib << 20);
  }

  /// @return the times that count, as a sentence
  String run() {
    step("start a and b, each with pool and database", this::start);
    step("pair them by a code", this::pair);
    step("a: make a virtual machine, write its disk", this::makeMachine);
    step("replicate it to b every %d s".formatted(INTERVAL_SECONDS), this::replicate);
    step("a: write, and run a cycle", this::writeAndSend);
    step("b: test the replica beside the cycles", this::testReplica);
    int[] acknowledged = {0};
    step("a: write through a cycle, then kill -9", () -> killUnderWrites(acknowledged));
    Instant call = Instant.now();
    step("b: fail over, without asking a", this::failOver);
    step("b: read the disk over iSCSI", () -> readThere(acknowledged[0]));
    Duration over = Duration.between(call, Instant.now());
    step("b: write", this::writeThere);
    step("a: start again, power the old machine off", this::comeBack);
    step("b: reverse, and send what changed", this::reverse);
    Instant prepare = Instant.now();
    step("b: power off, prepare the way home", this::prepare);
    step("a: fail over as planned, power on", this::goHome);
    step("a: read the disk over iSCSI", this::readAtHome);
    Duration home = Duration.between(prepare, Instant.now());
    step("a: reverse, and run a cycle", this::protectAgain);
    return "the disk was read at b %s after the call of fail-over, and at a %s after that of prepare; %s in all"
        .formatted(seconds(over), seconds(home), seconds(Duration.between(begin, Instant.now())));
  }

  private void step(String name, Supplier<String> work) {
    Instant start = Instant.now();
    String came;
    try {
      came = work.get();
    } catch (Mismatch e) {
      throw new Mismatch("%s: %s".formatted(name, e.getMessage()), e);
    } catch (RuntimeException e) {
      throw new IllegalStateException("%s: %s".formatted(name, e.getMessage()), e);
    }
    out.printf("%-44s %8s  %s%n", name, seconds(Duration.between(start, Instant.now())), came);
    out.flush();
  }

  private static String seconds(Duration time) {
    return "%.2f s".formatted(time.toNanos() / 1e9);
  }

  // ---- until the source is lost

  private String start() {
    first.start();
    second.start();
    first.awaitReady();
    second.awaitReady();
    return "REST of a %s, of b %s"
        .formatted(first.process().management(), second.process().management());
  }

  private String pair() {
    first.pair(second);
    hosts.add(new SiteHost(first));
    hosts.add(new SiteHost(second));
    return "and a vCenter with a host at each";
  }

  private String makeMachine() {
    String container = first.container(CONTAINER, 1L << 40);
    second.container(CONTAINER, 1L << 40);
    long mib = known.size() >> 20;
    vm =
        VirtualMachine.create(
            hosts.getFirst().host(), new VmSpec("guest", container, 64, List.of(mib), 16, null));
    vm().powerOn();
    disk().disk().write(0, known.filled());
    return "%d of %d MiB, SHA-256 %s"
        .formatted(mib / 2, mib, known.require("a", SiteHost.read(disk())));
  }

  private String replicate() {
    GroupEnd source =
        first.replicate(second, "demo", INTERVAL_SECONDS, "vm", List.of(vm().vmId()), CONTAINER);
    group = source.id();
    source.awaitReplica();
    GroupEnd.Cycles cycles = source.cycles();
    return "the first copy: %,d bytes, %,d over the link"
        .formatted(cycles.dataBytes(), cycles.linkBytes());
  }

  private String writeAndSend() {
    write(disk(), SOME_WRITES);
    known.write(0, answered);
    String digest = known.require("a", SiteHost.read(disk()));
    first.group(group).synchronize("noted");
    return "SHA-256 " + digest;
  }

  private String testReplica() {
    GroupEnd target = second.group(group);
    JsonNode replica = target.replicas().get(0);
    JsonNode test =
        target.post("test", "{\"replica\": \"%s\"}".formatted(replica.get("id").asString()));
    VvolDisk clone = hosts.getLast().host().bind(dataOf(GroupEnd.volumes(test)));
    String digest = known.require("b", SiteHost.read(clone));
    hosts.getLast().host().unbind(clone);
    target.endTest();
    return "SHA-256 " + digest;
  }

  /// Writes until a cycle has taken some of it along, and some more.
  private String killUnderWrites(int[] acknowledged) {
    Instant before = first.group(group).newest();
    VvolDisk disk = disk();
    Thread writer = Thread.ofPlatform().name("demo-writer").start(() -> writeUntilCut(disk));
    try {
      await("a cycle", () -> first.group(group).newest().isAfter(before));
      int then = answered;
      await("writes after the cycle", () -> answered >= then + SOME_WRITES);
    } finally {
      first.kill();
    }
    join(writer);
    acknowledged[0] = answered;
    return "%,d writes were acknowledged since the replica that was tested"
        .formatted(answered - SOME_WRITES);
  }

  private void writeUntilCut(VvolDisk disk) {
    try {
      write(disk, Integer.MAX_VALUE);
    } catch (TransportException e) {
      // The provider was killed.
    }
  }

  private void write(VvolDisk disk, int count) {
    for (int i = 0; i < count; i++) {
      int number = sent + 1;
      sent = number;
      disk.unit()
          .write(
              known.placeOf(number) / SECTOR,
              KnownDisk.BLOCK / SECTOR,
              KnownDisk.contentOf(number));
      answered = number;
    }
  }

  private static void await(String what, Supplier<Boolean> condition) {
    Instant end = Instant.now().plus(PATIENCE);
    while (!condition.get()) {
      if (Instant.now().isAfter(end)) {
        throw new Mismatch(
            "expected %s within %d s, there was none".formatted(what, PATIENCE.toSeconds()));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Mismatch("interrupted while waiting for the writes to end", e);
    }
  }

  // ---- at the second site

  private String failOver() {
    JsonNode over = second.group(group).post("fail-over", "");
    List<String> volumes = GroupEnd.volumes(over);
    String data = dataOf(volumes);
    List<String> ids = new ArrayList<>(volumes.stream().map(id -> "rfc4122." + id).toList());
    ids.remove(data);
    ids.addFirst(data);
    there = hosts.getLast().host().bind(ids);
    JsonNode replica = second.group(group).replicas().get(0);
    return "to the replica of %s; %d vVols bound"
        .formatted(replica.get("taken").asString(), there.size());
  }

  private String dataOf(List<String> volumes) {
    return volumes.stream()
        .filter(id -> second.rest().get("vvols/" + id).get("type").asString().equals("Data"))
        .map(id -> "rfc4122." + id)
        .findFirst()
        .orElseThrow(() -> new Mismatch("expected a data vVol among %s".formatted(volumes)));
  }

  /// The disk holds the first writes up to some number, and nothing else.
  private String readThere(int acknowledged) {
    byte[] read = SiteHost.read(there.getFirst());
    int last = Math.max(SOME_WRITES, KnownDisk.lastIn(read));
    if (last > sent) {
      throw new Mismatch("expected no write after number %d, got %d".formatted(sent, last));
    }
    known.write(SOME_WRITES, last);
    return "SHA-256 %s, the replica's moment: all but the last %,d writes"
        .formatted(known.require("b", read), Math.max(0, acknowledged - last));
  }

  private String writeThere() {
    int before = sent;
    write(there.getFirst(), SOME_WRITES);
    known.write(before, sent);
    return "SHA-256 " + known.require("b", SiteHost.read(there.getFirst()));
  }

  private String comeBack() {
    first.start();
    first.awaitReady();
    first.group(group).awaitState("REMOTE_FAILEDOVER");
    hosts.getFirst().comeBack();
    vm().powerOff();
    return "a knows that b has failed over";
  }

  private String reverse() {
    GroupEnd source = second.group(group);
    source.post("reverse", "");
    source.awaitReplica();
    long changed = known.placesOf(sent - SOME_WRITES, sent);
    GroupEnd.Cycles cycles = source.cycles();
    if (cycles.dataBytes() > changed) {
      throw new Mismatch(
          "expected no more than the %d bytes to be sent that changed at b, got %d"
              .formatted(changed, cycles.dataBytes()));
    }
    return "%,d bytes changed at b, %,d were sent, %,d over the link"
        .formatted(changed, cycles.dataBytes(), cycles.linkBytes());
  }

  // ---- home

  private String prepare() {
    hosts.getLast().host().unbind(there);
    second.group(group).post("prepare", "");
    return "the volumes at b are out of use, their last writes are at a";
  }

  private String goHome() {
    first.group(group).post("fail-over", "{\"planned\": true}");
    vm().powerOn();
    return "the same machine, with the vVols that it had";
  }

  private String readAtHome() {
    return "SHA-256 " + known.require("a", SiteHost.read(disk()));
  }

  private String protectAgain() {
    GroupEnd source = first.group(group);
    source.post("reverse", "");
    source.awaitReplica();
    source.synchronize("home again");
    return "b is the target again: state " + second.group(group).state();
  }

  // ---- what it stands on

  private VvolDisk disk() {
    return vm().disks().getFirst();
  }

  private VirtualMachine vm() {
    VirtualMachine made = vm;
    if (made == null) {
      throw new Mismatch("expected a virtual machine to exist by now");
    }
    return made;
  }

  @Override
  public void close() {
    hosts.forEach(SiteHost::close);
  }
}

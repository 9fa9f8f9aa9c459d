package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.iscsi.WireCounters;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.Lun;
import io.coppice.driver.scsi.ScsiDisk;
import io.coppice.engine.check.PoolChecker;
import io.coppice.engine.check.finding.CheckReport;
import io.coppice.engine.device.ReadOnlyFile;
import io.coppice.harness.Mismatch;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// A provider that is killed while snapshots and recovery points are locked, locks are lengthened,
/// the recycle bin takes, restores and purges, a volume is reverted, two accounts raise the longest
/// lock, and somebody tries to delete what is locked. After each kill the checker finds the pool
/// whole. After each start every lock that was acknowledged is there for at least as long, and each
/// other change is as it was acknowledged or as it was asked for last.
///
/// `-Dlock.kills=40` for the whole; a kill takes some seconds.
class LockKillsIT {

  private static final int KILLS = Integer.getInteger("lock.kills", 1);
  private static final String INITIATOR = "iqn.2026-11.test.host:one";
  private static final String PASSWORD = "correct horse battery";
  private static final int SIZE = 1 << 20;
  private static final List<String> HOSTILE =
      List.of(
          "--coppice.pool.capacity=1GB",
          "--coppice.bin.time=0s",
          "--coppice.bin.free-percent=50",
          "--coppice.vasa.clock.counted-outage=365d",
          "--coppice.vasa.clock.largest-step=1h",
          "--coppice.vasa.protection.rules=1",
          "--coppice.vasa.protection.points=1",
          "--coppice.vasa.tasks.prepared-snapshots-lifetime=1h",
          "--coppice.vasa.tasks.prepared-snapshots-kept=1m");

  @TempDir private Path folder;

  private final long seed = Long.getLong("test.seed", 19);
  private final Random random = new Random(seed);
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
  private RunningProvider provider;
  private RestClient rest;
  private String container;
  private volatile boolean killed;
  private volatile boolean over;

  @Test
  void whatWasLockedIsLockedAfterEachKill() throws Exception {
    try (RunningProvider started =
        RunningProvider.start(
            folder,
            "--coppice.pool.capacity=1GB",
            "--coppice.accounts.longest-wait=0s",
            "--coppice.vasa.protection.shortest-interval=1m")) {
      provider = started;
      rest = started.rest();
      container = id(rest.post("containers", "{\"name\": \"box\", \"quota\": 1073741824}"));
      List<Work> works =
          List.of(
              new Locking(),
              new LockingPoints(),
              new Binning(),
              new Reverting(),
              new Approving(),
              new PointsOfARule());
      for (int kill = 1; kill <= KILLS; kill++) {
        killDuring(works);
        requireWhole();
        started.process().start();
        started.process().awaitReady(RunningProvider.START_LIMIT);
        for (Work work : works) {
          work.check("%s after kill %d, seed %d".formatted(work.getClass(), kill, seed));
        }
      }
      started.process().stop();
      underOtherSettings(works);
      assertThat(wrong).isEmpty();
    }
  }

  /// Starts with all that might make somebody delete more, or count more time as passed.
  private void underOtherSettings(List<Work> works) {
    try (ProviderProcess hostile = provider.process().restartedWith(HOSTILE)) {
      hostile.start();
      hostile.awaitReady(RunningProvider.START_LIMIT);
      works.stream()
          .filter(Work::isOfLocks)
          .forEach(work -> work.check("%s, other settings".formatted(work.getClass())));
    }
  }

  private void killDuring(List<Work> works) throws InterruptedException {
    killed = false;
    over = false;
    List<Thread> threads = new ArrayList<>();
    for (Work work : works) {
      work.done = 0;
      threads.add(Thread.ofPlatform().start(work::repeat));
    }
    while (works.stream().anyMatch(work -> work.done < 2) && wrong.isEmpty()) {
      LockSupport.parkNanos(1_000_000);
    }
    LockSupport.parkNanos(random.nextInt(300) * 1_000_000L);
    killed = true;
    provider.process().kill();
    over = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void requireWhole() {
    try (ReadOnlyFile pool = ReadOnlyFile.open(provider.process().home().resolve("pool/pool"))) {
      CheckReport report = PoolChecker.check(pool, false);
      assertThat(report.isClean()).as(report.toString()).isTrue();
    }
  }

  private static String id(JsonNode answer) {
    return answer.get("id").asString();
  }

  private String volume(String name) {
    return id(
        rest.post(
            "volumes",
            "{\"name\": \"%s\", \"size\": %d, \"container\": \"%s\"}"
                .formatted(name, SIZE, container)));
  }

  private String snapshot(String volume) {
    return rest.post("vvols/" + volume + "/snapshots?wait=30s", "{\"name\": \"one\"}")
        .at("/result/id")
        .asString();
  }

  private boolean exists(String path) {
    try {
      rest.get(path);
      return true;
    } catch (Mismatch e) {
      assertThat(e).hasMessageContaining("got 404");
      return false;
    }
  }

  /// One kind of change, repeated until the provider is gone.
  private abstract class Work {
    volatile int done;

    /// @throws Mismatch if it was cut short
    abstract void once();

    abstract void check(String as);

    /// Whether all that it did is locked; other settings may delete the rest.
    boolean isOfLocks() {
      return false;
    }

    final void repeat() {
      try {
        while (!over) {
          once();
          done++;
        }
      } catch (Mismatch e) {
        if (!killed || String.valueOf(e.getMessage()).contains(", got ")) {
          wrong.add(getClass().getSimpleName() + ": " + e.getMessage());
        } // else it was cut off
      } catch (RuntimeException e) {
        wrong.add(getClass().getSimpleName() + ": " + e);
      }
    }

    /// Something that must be refused as locked.
    final void refused(String method, String path) {
      try {
        JsonNode answer = method.equals("DELETE") ? rest.delete(path) : rest.post(path, "");
        wrong.add("%s %s: %s".formatted(method, path, answer));
      } catch (Mismatch e) {
        if (!String.valueOf(e.getMessage()).contains("\"locked\"")) {
          throw e;
        }
      }
    }
  }

  /// Snapshots that are locked, whose locks are lengthened, and which somebody tries to delete.
  private final class Locking extends Work {
    private final String volume = volume("locking");
    private final Map<String, Instant> ends = new ConcurrentHashMap<>();

    @Override
    void once() {
      String snapshot = snapshot(volume);
      for (int hours = 1; hours <= 3; hours++) {
        String lock = "{\"lockFor\": \"PT%dH\"}".formatted(hours);
        JsonNode locked = rest.post("snapshots/" + snapshot + "/lock", lock);
        ends.put(snapshot, Instant.parse(locked.get("lockedUntil").asString()));
        refused("DELETE", "snapshots/" + snapshot + "?purge=true");
        refused("DELETE", "volumes/" + volume + "?purge=true");
      }
    }

    @Override
    boolean isOfLocks() {
      return true;
    }

    @Override
    void check(String as) {
      ends.forEach(
          (snapshot, end) -> {
            String until = rest.get("snapshots/" + snapshot).get("lockedUntil").asString();
            assertThat(Instant.parse(until)).as(as).isAfterOrEqualTo(end);
            refused("DELETE", "snapshots/" + snapshot + "?purge=true");
          });
      assertThat(rest.get("locks").get("lockedSnapshots").asInt())
          .as(as)
          .isGreaterThanOrEqualTo(ends.size());
    }
  }

  /// Recovery points of two volumes, taken and locked by a person.
  private final class LockingPoints extends Work {
    private final String group =
        group(
            "by hand",
            "{\"name\": \"day\", \"kind\": \"daily\","
                + " \"at\": \"02:00\", \"zone\": \"UTC\", \"keepCount\": 2}");
    private final Map<String, Instant> ends = new ConcurrentHashMap<>();

    @Override
    void once() {
      String point = id(rest.post("protection-groups/" + group + "/points", "{\"name\": \"now\"}"));
      JsonNode locked = rest.post("recovery-points/" + point + "/lock", "{\"lockFor\": \"P1D\"}");
      ends.put(point, Instant.parse(locked.get("lockedUntil").asString()));
      refused("DELETE", "recovery-points/" + point + "?purge=true");
    }

    @Override
    boolean isOfLocks() {
      return true;
    }

    @Override
    void check(String as) {
      ends.forEach(
          (point, end) -> {
            JsonNode shown = rest.get("recovery-points/" + point);
            assertThat(shown.get("snapshots")).as(as).hasSize(2);
            assertThat(Instant.parse(shown.get("lockedUntil").asString()))
                .as(as)
                .isAfterOrEqualTo(end);
          });
    }
  }

  private String group(String name, String rule) {
    String policy =
        id(
            rest.post(
                "protection-policies",
                "{\"name\": \"%s\", \"rules\": [%s]}".formatted(name, rule)));
    return id(
        rest.post(
            "protection-groups",
            "{\"name\": \"%s\", \"policy\": \"%s\", \"members\": [{\"volume\": \"%s\"}, {\"volume\": \"%s\"}]}"
                .formatted(name, policy, volume(name + " 1"), volume(name + " 2"))));
  }

  /// A rule that takes a point each minute and locks it; groups come and go beside it.
  private final class PointsOfARule extends Work {
    private final String group =
        group(
            "by rule",
            "{\"name\": \"minute\", \"kind\": \"every\","
                + " \"interval\": \"PT1M\", \"keepCount\": 60, \"lock\": \"PT1H\"}");

    @Override
    void once() {
      rest.get("recovery-points?group=" + group);
      LockSupport.parkNanos(10_000_000);
    }

    @Override
    boolean isOfLocks() {
      return true;
    }

    @Override
    void check(String as) {
      long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      while (!allLocked()) {
        assertThat(System.nanoTime()).as(as).isLessThan(deadline);
        LockSupport.parkNanos(50_000_000);
      }
    }

    private boolean allLocked() {
      return rest.get("recovery-points?group=" + group)
          .get("items")
          .valueStream()
          .allMatch(
              point -> point.get("snapshots").size() == 2 && point.get("lockedUntil").isString());
    }
  }

  /// A snapshot that is deleted, restored, deleted and purged.
  private final class Binning extends Work {
    private final String volume = volume("binning");
    private String snapshot = snapshot(volume);
    private String acknowledged = "present";
    private String asked = "present";

    private void step(String wanted, Runnable call) {
      asked = wanted;
      call.run();
      acknowledged = wanted;
    }

    @Override
    void once() {
      step("in bin", () -> rest.delete("snapshots/" + snapshot));
      step("present", () -> rest.post("bin/" + snapshot + "/restore", ""));
      step("in bin", () -> rest.delete("snapshots/" + snapshot));
      step("gone", () -> rest.delete("bin/" + snapshot));
      renew();
    }

    private void renew() {
      snapshot = snapshot(volume);
      acknowledged = "present";
      asked = "present";
    }

    @Override
    void check(String as) {
      String state =
          exists("snapshots/" + snapshot)
              ? "present"
              : exists("bin/" + snapshot) ? "in bin" : "gone";
      assertThat(state).as(as).isIn(acknowledged, asked);
      renew();
    }
  }

  /// A volume that is reverted to one of two snapshots in turn. Each revert leaves a safety copy.
  private final class Reverting extends Work {
    private final String volume = volume("reverting");
    private final String first;
    private final String second;
    private int acknowledged;
    private String now;
    private String asked;

    Reverting() {
      first = written(1);
      second = written(2);
      now = second;
      asked = second;
    }

    /// A snapshot of other content; nobody has the volume open afterwards.
    private String written(int seed) {
      JsonNode export =
          rest.post(
              "exports",
              "{\"vvol\": \"%s\", \"initiators\": [\"%s\"]}".formatted(volume, INITIATOR));
      byte[] bytes = new byte[SIZE];
      new Random(seed).nextBytes(bytes);
      try (IscsiPath path =
          IscsiPath.open(
              provider.process().portal(),
              export.get("target").asString(),
              LoginSettings.of(INITIATOR, 1),
              new WireCounters())) {
        ScsiDisk.open(new LogicalUnit(path, Lun.flat(export.get("lun").asInt())))
            .write(0, ByteBuffer.wrap(bytes));
      }
      rest.delete("exports/" + volume);
      return snapshot(volume);
    }

    @Override
    void once() {
      asked = now.equals(first) ? second : first;
      rest.post("snapshots/" + asked + "/revert?wait=30s", "");
      now = asked;
      acknowledged++;
    }

    private boolean holds(String snapshot) {
      return rest.get("differences?of=%s&since=%s".formatted(volume, snapshot))
          .get("items")
          .isEmpty();
    }

    @Override
    void check(String as) {
      String held = holds(first) ? first : second;
      assertThat(holds(held)).as(as).isTrue();
      assertThat(held).as(as).isIn(now, asked);
      List<String> copies = copies();
      assertThat(copies.size()).as(as).isGreaterThanOrEqualTo(acknowledged);
      if (!now.equals(held)) {
        acknowledged++;
      }
      now = held;
      asked = held;
    }

    private List<String> copies() {
      return rest.get("bin?kind=safety-copy&limit=1000&sort=-deleted")
          .get("items")
          .valueStream()
          .filter(item -> item.get("vvol").asString().equals(volume))
          .map(LockKillsIT::id)
          .toList();
    }
  }

  /// Two accounts that raise the longest lock by a day at a time.
  private final class Approving extends Work {
    private final RestClient anna = account("anna");
    private final RestClient bert = account("bert");
    private long acknowledged = 30;
    private long asked = 30;

    private RestClient account(String name) {
      rest.post(
          "accounts",
          "{\"name\": \"%s\", \"role\": \"admin\", \"password\": \"%s\"}"
              .formatted(name, PASSWORD));
      return RestClient.login(provider.process().management(), name, PASSWORD);
    }

    @Override
    void once() {
      asked = acknowledged + 1;
      String wish = "{\"action\": \"raise-max-lock\", \"value\": \"P%dD\"}".formatted(asked);
      bert.post("approvals/" + id(anna.post("approvals", wish)) + "/approve", "");
      acknowledged = asked;
    }

    @Override
    void check(String as) {
      long days = Duration.parse(rest.get("locks").get("maxLock").asString()).toDays();
      assertThat(days).as(as).isIn(acknowledged, asked);
      acknowledged = days;
    }
  }
}

package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.HOST;
import static io.coppice.scsi.Fixture.OTHER;
import static io.coppice.scsi.Fixture.OTHER_HOST;
import static io.coppice.scsi.Fixture.op;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.OperationId;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.Export;
import io.coppice.scsi.directory.HostId;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.scsi.directory.ProtocolEndpoint;
import io.coppice.scsi.directory.RefusedException;
import io.coppice.scsi.directory.RefusedException.Reason;
import io.coppice.scsi.directory.pool.AccessRevocation;
import io.coppice.scsi.directory.pool.DirectoryListener;
import io.coppice.scsi.directory.pool.PoolLunDirectory;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.OpenSession;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LunDirectoryTest {

  private Instant now = Instant.parse("2026-11-21T00:00:00Z");
  private final Fixture fixture =
      new Fixture(new MemoryEngine(), ScsiSettings.defaults().withClock(() -> now));
  private final LunDirectory luns = fixture.luns();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void numberOfAVolumeIsTheSameForAllHosts() {
    VolumeId volume = fixture.volume(1 << 20);

    Binding mine = luns.bind(op(), HOST, volume, Set.of());
    Binding theirs = luns.bind(op(), OTHER_HOST, volume, Set.of(1));

    assertThat(theirs.subsidiary()).isEqualTo(mine.subsidiary());
    assertThat(luns.bindingsOf(volume)).containsExactlyInAnyOrder(mine, theirs);
  }

  @Test
  void bindsAreCountedPerHost() {
    VolumeId volume = fixture.volume(1 << 20);

    assertThat(luns.bind(op(), HOST, volume, Set.of()).count()).isEqualTo(1);
    assertThat(luns.bind(op(), HOST, volume, Set.of()).count()).isEqualTo(2);
    assertThat(luns.unbind(op(), HOST, volume)).isTrue();
    assertThat(luns.bindingsOf(volume)).hasSize(1);
    assertThat(luns.unbind(op(), HOST, volume)).isTrue();
    assertThat(luns.bindingsOf(volume)).isEmpty();
    assertThat(luns.unbind(op(), HOST, volume)).isFalse();
  }

  @Test
  void repeatedOperationGetsTheFirstResultAndChangesNothing() {
    VolumeId volume = fixture.volume(1 << 20);
    OperationId bind = op();

    Binding first = luns.bind(bind, HOST, volume, Set.of());

    assertThat(luns.bind(bind, HOST, volume, Set.of())).isEqualTo(first);
    assertThat(luns.bindingsOf(volume)).containsExactly(first);
  }

  @Test
  void operationRepeatedAfterARestartChangesNothing() {
    VolumeId volume = fixture.volume(1 << 20);
    OperationId bind = op();
    OperationId unbind = op();
    luns.bind(op(), HOST, volume, Set.of());
    luns.bind(bind, HOST, volume, Set.of());
    luns.bind(op(), HOST, volume, Set.of());
    luns.unbind(unbind, HOST, volume);

    try (ScsiTarget again = ScsiTarget.open(fixture.engine, ScsiSettings.defaults())) {
      again.luns().bind(bind, HOST, volume, Set.of());
      assertThat(again.luns().bindingsOf(volume).getFirst().count()).isEqualTo(2);
      assertThat(again.luns().unbind(unbind, HOST, volume)).isTrue();
      assertThat(again.luns().bindingsOf(volume).getFirst().count()).isEqualTo(2);
    }
  }

  @Test
  void freedNumberRestsForADay() {
    VolumeId volume = fixture.volume(1 << 20);
    int number = luns.bind(op(), HOST, volume, Set.of()).subsidiary();
    luns.unbind(op(), HOST, volume);

    now = now.plus(Duration.ofHours(24)).minusSeconds(1);
    assertThat(luns.bind(op(), HOST, fixture.volume(1 << 20), Set.of()).subsidiary())
        .isNotEqualTo(number);
    now = now.plusSeconds(1);
    assertThat(luns.bind(op(), HOST, fixture.volume(1 << 20), Set.of()).subsidiary())
        .isEqualTo(number);
  }

  @Test
  void freedNumberRestsOverARestart() {
    VolumeId volume = fixture.volume(1 << 20);
    int number = luns.bind(op(), HOST, volume, Set.of()).subsidiary();
    luns.unbind(op(), HOST, volume);

    ScsiSettings settings = ScsiSettings.defaults().withClock(() -> now);
    try (ScsiTarget again = ScsiTarget.open(fixture.engine, settings)) {
      assertThat(again.luns().bind(op(), HOST, volume, Set.of()).subsidiary()).isNotEqualTo(number);
    }
  }

  @Test
  void bindChoosesAmongTheEndpointsTheHostSees() {
    ProtocolEndpoint second = luns.addEndpoint(op());
    VolumeId volume = fixture.volume(1 << 20);

    assertThat(second.lun()).isEqualTo(2);
    assertThat(second.naa()).isNotEqualTo(luns.endpoints().getFirst().naa());
    assertThat(luns.bind(op(), HOST, volume, Set.of(2)).endpoint()).isEqualTo(second);
    assertRefused(Reason.UNKNOWN, () -> luns.bind(op(), OTHER_HOST, volume, Set.of(9)));
  }

  @Test
  void bindNeedsAKnownHostAndVolume() {
    VolumeId volume = fixture.volume(1 << 20);

    assertRefused(Reason.UNKNOWN, () -> luns.bind(op(), new HostId("nobody"), volume, Set.of()));
    assertRefused(Reason.UNKNOWN, () -> luns.bind(op(), HOST, VolumeId.random(), Set.of()));
  }

  @Test
  void exportedVolumeIsNotBoundAndBoundOneIsNotExported() {
    VolumeId exported = fixture.exported(1 << 20);
    VolumeId bound = fixture.volume(1 << 20);
    luns.bind(op(), HOST, bound, Set.of());

    assertRefused(Reason.IN_USE, () -> luns.bind(op(), HOST, exported, Set.of()));
    assertRefused(
        Reason.IN_USE, () -> luns.export(op(), bound, Optional.empty(), false, Set.of(ESX)));
  }

  @Test
  void exportTakesTheLowestFreeLunOrTheOneAskedFor() {
    VolumeId zero = fixture.exported(1 << 20);
    Export seven = luns.export(op(), fixture.volume(1 << 20), Optional.of(7), false, Set.of(ESX));
    Export one = luns.export(op(), fixture.volume(1 << 20), Optional.empty(), false, Set.of(ESX));

    assertThat(luns.exportOf(zero).orElseThrow().lun()).isZero();
    assertThat(seven.lun()).isEqualTo(7);
    assertThat(one.lun()).isEqualTo(1);
    assertThat(luns.exports()).extracting(Export::lun).containsExactly(0, 1, 7);
    assertRefused(
        Reason.IN_USE,
        () -> luns.export(op(), fixture.volume(1 << 20), Optional.of(7), false, Set.of(ESX)));
    assertRefused(
        Reason.INVALID,
        () -> luns.export(op(), fixture.volume(1 << 20), Optional.of(16_384), false, Set.of(ESX)));
    assertThat(luns.unexport(op(), zero)).isPresent();
    assertThat(luns.unexport(op(), zero)).isEmpty();
    assertThat(luns.exportOf(zero)).isEmpty();
  }

  @Test
  void snapshotIsExportedReadOnlyOnly() {
    VolumeId volume = fixture.volume(1 << 20);
    VolumeId snapshot = VolumeId.random();
    fixture.engine.snapshot(
        op(), List.of(new SnapshotSpec(volume, snapshot, Map.of())), Duration.ofSeconds(1));

    assertRefused(
        Reason.INVALID, () -> luns.export(op(), snapshot, Optional.empty(), false, Set.of(ESX)));
    assertThat(luns.export(op(), snapshot, Optional.empty(), true, Set.of(ESX)).readOnly())
        .isTrue();
  }

  @Test
  void initiatorBelongsToOneHost() {
    assertRefused(
        Reason.IN_USE, () -> luns.declareHost(op(), OTHER_HOST, Set.of(ESX.toUpperCase())));
    assertThat(luns.initiatorsOf(OTHER_HOST)).containsExactly(OTHER);

    luns.declareHost(op(), HOST, Set.of("iqn.1998-01.com.vmware:new"));
    luns.declareHost(op(), OTHER_HOST, Set.of(OTHER, ESX));

    assertThat(luns.initiatorsOf(OTHER_HOST)).containsExactlyInAnyOrder(OTHER, ESX);
  }

  @Test
  void initiatorTakenFromAHostReachesNothingMore() {
    luns.bind(op(), HOST, fixture.volume(1 << 20), Set.of());
    Initiator initiator = fixture.endpoints();
    initiator.settle("0001d20000010000");

    luns.declareHost(op(), HOST, Set.of("iqn.1998-01.com.vmware:new"));

    assertThat(initiator.send("0001d20000010000", "00 00 00 00 00 00").code()).isEqualTo("5/25/00");
    assertThat(fixture.target.endpoints().admits(ESX)).isFalse();
  }

  @Test
  void initiatorTakenFromAHostLosesTheEndpointToo() {
    Initiator initiator = fixture.endpoints();
    initiator.settle("0001000000000000");

    luns.declareHost(op(), HOST, Set.of("iqn.1998-01.com.vmware:new"));

    assertThat(initiator.send("0001000000000000", "00 00 00 00 00 00").code()).isEqualTo("5/25/00");
  }

  @Test
  void forgottenHostLosesItsBindings() {
    VolumeId volume = fixture.volume(1 << 20);
    luns.bind(op(), HOST, volume, Set.of());
    luns.bind(op(), OTHER_HOST, volume, Set.of());

    luns.forgetHost(op(), HOST);

    assertThat(luns.initiatorsOf(HOST)).isEmpty();
    assertThat(luns.bindingsOf(volume)).extracting(Binding::host).containsExactly(OTHER_HOST);
    assertRefused(Reason.UNKNOWN, () -> luns.bind(op(), HOST, volume, Set.of()));
  }

  @Test
  void hostThatBindsMeanwhileIsNotForgotten() {
    VolumeId volume = fixture.volume(1 << 20);
    luns.bind(op(), HOST, volume, Set.of());

    assertRefused(Reason.IN_USE, () -> luns.forgetUnboundHost(op(), HOST));

    assertThat(luns.bindingsOf(volume)).hasSize(1);
    assertThat(luns.initiatorsOf(HOST)).containsExactly(ESX);
    luns.unbind(op(), HOST, volume);
    luns.forgetUnboundHost(op(), HOST);
    assertThat(luns.initiatorsOf(HOST)).isEmpty();
  }

  @Test
  void allBindingsOfAHostEndAtOnce() {
    for (int i = 0; i < 600; i++) {
      luns.bind(op(), HOST, fixture.volume(1 << 20), Set.of());
    }

    assertThat(luns.unbindAll(op(), HOST)).hasSize(600);
    assertThat(luns.bindings()).isEmpty();
  }

  @Test
  void unbindingThatACrashCutsShortGoesOnWhenRepeated() {
    for (int i = 0; i < 300; i++) {
      luns.bind(op(), HOST, fixture.volume(1 << 20), Set.of());
    }
    OperationId unbind = op();
    try (ScsiTarget crashing = ScsiTarget.open(crashingAfter(1), ScsiSettings.defaults())) {
      assertThatThrownBy(() -> crashing.luns().unbindAll(unbind, HOST)).hasMessage("crash");
    }

    try (ScsiTarget again = ScsiTarget.open(fixture.engine, ScsiSettings.defaults())) {
      assertThat(again.luns().bindings()).hasSizeBetween(1, 299);
      again.luns().unbindAll(unbind, HOST);
      assertThat(again.luns().bindings()).isEmpty();
    }
    try (ScsiTarget restarted = ScsiTarget.open(fixture.engine, ScsiSettings.defaults())) {
      assertThat(restarted.luns().bindings()).isEmpty();
    }
  }

  @Test
  void unbindingRepeatedAfterARestartLeavesWhatWasBoundSince() {
    VolumeId volume = fixture.volume(1 << 20);
    OperationId unbind = op();
    luns.bind(op(), HOST, volume, Set.of());
    luns.unbindAll(unbind, HOST);
    luns.bind(op(), HOST, volume, Set.of());

    try (ScsiTarget again = ScsiTarget.open(fixture.engine, ScsiSettings.defaults())) {
      assertThat(again.luns().unbindAll(unbind, HOST)).isEmpty();
      assertThat(again.luns().bindingsOf(volume)).hasSize(1);
    }
  }

  /// The fixture's engine; its records take that many changes.
  private StorageEngine crashingAfter(int changes) {
    AtomicInteger left = new AtomicInteger(changes);
    PoolRecords records =
        proxy(
            PoolRecords.class,
            (method, arguments) -> {
              if (method.getName().equals("apply") && left.getAndDecrement() <= 0) {
                throw new IllegalStateException("crash");
              }
              return method.invoke(fixture.engine.records(), arguments);
            });
    return proxy(
        StorageEngine.class,
        (method, arguments) ->
            method.getName().equals("records")
                ? records
                : method.invoke(fixture.engine, arguments));
  }

  private interface Around {
    Object call(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Around around) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> around.call(method, arguments)));
  }

  /// A unit is closed only if no host can have bound its volume meanwhile.
  @Test
  void bindWaitsWhileAnUnusedUnitIsClosed() throws Exception {
    VolumeId volume = fixture.volume(1 << 20);
    AtomicReference<Boolean> boundMeanwhile = new AtomicReference<>();
    AtomicReference<CompletableFuture<Binding>> theirs = new AtomicReference<>();
    Racing racing = new Racing();
    PoolLunDirectory directory =
        new PoolLunDirectory(fixture.engine, ScsiSettings.defaults(), racing);
    racing.onUnused =
        () -> {
          theirs.set(
              CompletableFuture.supplyAsync(
                  () -> directory.bind(op(), OTHER_HOST, volume, Set.of())));
          boundMeanwhile.set(isDoneWithin(theirs.get(), 500));
        };
    directory.bind(op(), HOST, volume, Set.of());

    directory.unbindAll(op(), HOST);

    assertThat(boundMeanwhile.get()).isFalse();
    assertThat(theirs.get().get(10, TimeUnit.SECONDS).host()).isEqualTo(OTHER_HOST);
    assertThat(racing.told).containsExactly("appeared", "disappeared", "unused", "appeared");
  }

  private static boolean isDoneWithin(CompletableFuture<?> future, int ms) {
    try {
      future.get(ms, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /// Writes down what it is told.
  private static final class Racing implements DirectoryListener {
    private final List<String> told = new CopyOnWriteArrayList<>();
    private Runnable onUnused = () -> {};

    @Override
    public void appeared(VolumeId volume, int endpoint, Set<String> initiators) {
      told.add("appeared");
    }

    @Override
    public List<OpenSession> sessions(int endpoint) {
      return List.of();
    }

    @Override
    public AccessRevocation disappeared(VolumeId volume, int endpoint, Set<String> initiators) {
      told.add("disappeared");
      return AccessRevocation.NONE;
    }

    @Override
    public AccessRevocation left(
        VolumeId volume, int endpoint, int number, Set<String> initiators) {
      return AccessRevocation.NONE;
    }

    @Override
    public AccessRevocation expelled(Set<String> initiators) {
      told.add("expelled");
      return AccessRevocation.NONE;
    }

    @Override
    public AccessRevocation endpointRemoved(int endpoint) {
      told.add("endpoint removed");
      return AccessRevocation.NONE;
    }

    @Override
    public void suspended(VolumeId volume, boolean suspended) {
      told.add(suspended ? "suspended" : "resumed");
    }

    @Override
    public void unused(VolumeId volume) {
      told.add("unused");
      onUnused.run();
    }
  }

  @Test
  void nameThatStaysIsFoundWhileItsHostIsDeclaredAgain() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Integer> missed =
        CompletableFuture.supplyAsync(
            () -> {
              int count = 0;
              while (!done.get()) {
                count += fixture.target.endpoints().admits(ESX) ? 0 : 1;
              }
              return count;
            });

    for (int i = 0; i < 20_000; i++) {
      luns.declareHost(op(), HOST, Set.of(ESX, "iqn.1998-01.com.vmware:other" + i % 2));
    }

    done.set(true);
    assertThat(missed.get(10, TimeUnit.SECONDS)).as("times not found").isZero();
    assertThat(luns.initiatorsOf(HOST))
        .containsExactlyInAnyOrder(ESX, "iqn.1998-01.com.vmware:other1");
    luns.declareHost(op(), OTHER_HOST, Set.of("iqn.1998-01.com.vmware:other0"));
  }

  @Test
  void volumeIsUnboundFromAllHosts() {
    VolumeId volume = fixture.volume(1 << 20);
    luns.bind(op(), HOST, volume, Set.of());
    luns.bind(op(), HOST, volume, Set.of());
    luns.bind(op(), OTHER_HOST, volume, Set.of());

    assertThat(luns.unbindFromAllHosts(op(), volume)).hasSize(2);
    assertThat(luns.bindings()).isEmpty();
  }

  @Test
  void namesThatAreNoneAreRefused() {
    for (String name : List.of("", "host", "iqn.a b", "iqn.a\nb", "iqn." + "x".repeat(220))) {
      assertRefused(Reason.INVALID, () -> luns.declareHost(op(), HOST, Set.of(name)));
    }
    assertThat(luns.initiatorsOf(HOST)).containsExactly(ESX);
  }

  @Test
  void recordsStandInTheDocumentedForm() {
    VolumeId volume = fixture.volume(1 << 20);
    luns.bind(op(), HOST, volume, Set.of());
    VolumeId exported = fixture.exported(1 << 20);
    PoolRecords records = fixture.engine.records();

    assertThat(records.find("scsi/host/host-1")).contains(ESX);
    assertThat(records.find("scsi/binding/" + volume + "/host-1")).contains("1 1 1");
    assertThat(records.find("scsi/export/" + exported)).contains("0 rw\n" + ESX + "\n" + OTHER);
    assertThat(records.find("scsi/endpoint/001")).contains(luns.endpoints().getFirst().naa());
    luns.unbind(op(), HOST, volume);
    assertThat(records.find("scsi/freed/001/00000001")).contains("" + now.getEpochSecond());
  }

  private static void assertRefused(Reason reason, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }
}

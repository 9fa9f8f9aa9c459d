package io.coppice.iscsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.iscsi.SocketInitiator.Received;
import io.coppice.iscsi.setting.IscsiSettings;
import io.coppice.iscsi.testing.SlowDevice;
import io.coppice.scsi.ScsiTarget;
import io.coppice.scsi.directory.HostId;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.TargetDevice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A write that waits in the device while its host gives it up never comes out over a later one:
/// whoever ends it is answered only when it is over (design: no ghost writes). Over TCP, the device
/// server and the engine, on a device that really holds the write.
@Timeout(180)
class GhostWriteTest {

  /// How a host comes to believe that its write is over.
  private enum End {
    ABORT_TASK(1),
    ABORT_TASK_SET(2),
    CLEAR_TASK_SET(4),
    LOGICAL_UNIT_RESET(5),
    TARGET_WARM_RESET(6),
    TARGET_COLD_RESET(7),
    LOGOUT,
    REINSTATEMENT,
    CONNECTION_REINSTATEMENT,
    CONNECTION_DROPPED,
    CONNECTION_DROPPED_AND_ANOTHER_ISID,
    PREEMPT_AND_ABORT,
    UNEXPORT,
    INITIATOR_REMOVED,
    INITIATOR_REMOVED_TWICE,
    UNBIND;

    final int function;

    End(int function) {
      this.function = function;
    }

    End() {
      this(0);
    }
  }

  private static final String ONE = "iqn.2026-11.example:one";
  private static final String TWO = "iqn.2026-11.example:two";
  private static final HostId HOST_ONE = new HostId("one");
  private static final HostId HOST_TWO = new HostId("two");
  private static final String WRITE = "2a 00 00000000 00 0008 00";
  private static final String READ = "28 00 00000000 00 0008 00";
  private static final int LENGTH = 8 * 512;
  private static final byte OLD = 0x11;
  private static final byte NEW = 0x22;
  private static final long ISID = 0x80_0000_00_0001L;
  private static final int PINGS = 50;

  private final PoolFixture pool = PoolFixture.ofBytes(64 << 20).zones(1 << 20);
  private final SlowDevice device = new SlowDevice(pool.device());
  private final VolumeId volume = VolumeId.random();
  private final List<SocketInitiator> initiators = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicBoolean released = new AtomicBoolean();

  /// The end of the write was asked for.
  private final CountDownLatch asked = new CountDownLatch(1);

  private final StorageEngine engine = newPool();
  private final ScsiTarget scsi = ScsiTarget.open(engine, ScsiSettings.defaults());
  private final IscsiTarget target = start();

  private StorageEngine newPool() {
    StorageEngine made = pool.behind(_ -> device).format().open();
    made.create(OperationId.random(), VolumeSpec.thin(volume, 1 << 20));
    return made;
  }

  private IscsiTarget start() {
    scsi.luns().declareHost(OperationId.random(), HOST_ONE, Set.of(ONE));
    scsi.luns().declareHost(OperationId.random(), HOST_TWO, Set.of(TWO));
    return IscsiTarget.start(
        IscsiSettings.loopback(), List.of(scsi.plain(), scsi.endpoints()), _ -> Optional.empty());
  }

  @AfterEach
  void stop() throws IOException {
    device.release();
    leave();
    threads.shutdownNow();
    target.close();
    scsi.close();
    engine.close();
  }

  /// A target that closes waits a while for initiators that are there.
  private void leave() throws IOException {
    synchronized (initiators) {
      for (SocketInitiator each : initiators) {
        each.close();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void writeThatWaitsInTheDeviceNeverComesOutOverALaterOne(End end) throws Exception {
    boolean bound = end == End.UNBIND;
    long lun = bound ? 0x0001_d200_0001_0000L : 0;
    share(bound);
    TargetDevice where = bound ? scsi.endpoints() : scsi.plain();
    SocketInitiator one = logIn(where, ONE, ISID);
    SocketInitiator two = logIn(where, TWO, ISID);
    SocketInitiator bystander = logIn(where, TWO, ISID + 1);
    one.settle(lun);
    two.settle(lun);
    register(end, one, two);

    device.hold(OLD);
    one.command(lun, 1, 0xa1, LENGTH, WRITE, block(OLD));
    device.awaitMarked();
    Future<SocketInitiator> next =
        threads.submit(
            () -> {
              SocketInitiator writer = end(end, where, lun, one, two);
              if (end == End.CONNECTION_DROPPED_AND_ANOTHER_ISID) {
                write(writer, lun); // another nexus: no answer promises anything before its own
              }
              assertThat(released).as("answered before the old write was over").isTrue();
              return writer;
            });
    // Asked for after the write is over it would find no task.
    assertThat(asked.await(60, TimeUnit.SECONDS)).as("the end was asked for").isTrue();
    for (int i = 0; i < PINGS; i++) {
      bystander.ping(i);
    }
    assertThat(next).as("answered before the old write was over").isNotDone();
    released.set(true);
    device.release();
    SocketInitiator writer = next.get(60, TimeUnit.SECONDS);
    write(writer, lun);

    writer.command(lun, 3, 0xc1, LENGTH, READ);
    assertThat(answer(writer, 3).data()).isEqualTo(block(NEW));
    assertThat(content(engine)).isEqualTo(block(NEW));
    leave();
    target.close();
    scsi.close();
    engine.close();
    try (StorageEngine again = pool.bare().open()) {
      assertThat(content(again)).as("after a restart").isEqualTo(block(NEW));
    }
  }

  private void share(boolean bound) {
    if (bound) {
      scsi.luns().bind(OperationId.random(), HOST_ONE, volume, Set.of());
      scsi.luns().bind(OperationId.random(), HOST_TWO, volume, Set.of());
    } else {
      export();
    }
  }

  private void export() {
    scsi.luns().export(OperationId.random(), volume, Optional.of(0), false, Set.of(ONE, TWO));
  }

  private void register(End end, SocketInitiator one, SocketInitiator two) throws IOException {
    if (end == End.PREEMPT_AND_ABORT) {
      reserveOut(one, 0, 0, 1);
      reserveOut(two, 0, 0, 2);
      reserveOut(one, 1, 1, 0);
    }
  }

  /// PERSISTENT RESERVE OUT of type 5, write exclusive for registrants only.
  private static void reserveOut(SocketInitiator from, int action, long key, long serviceKey)
      throws IOException {
    byte[] list = HexFormat.of().parseHex("%016x%016x0000000000000000".formatted(key, serviceKey));
    from.command(0, 0x5f, 0xa1, 24, "5f %02x 05 0000 00000018 00".formatted(action), list);
    assertThat(answer(from, 0x5f).scsiStatus()).as("action %d", action).isZero();
  }

  /// Ends the write and waits for the answer.
  ///
  /// @return who writes next
  private SocketInitiator end(
      End end, TargetDevice where, long lun, SocketInitiator one, SocketInitiator two)
      throws Exception {
    if (end.function == 0) {
      asked.countDown(); // in time or late, it ends the same way
    }
    return switch (end) {
      case ABORT_TASK, ABORT_TASK_SET, CLEAR_TASK_SET, LOGICAL_UNIT_RESET, TARGET_WARM_RESET ->
          managed(one, lun, end);
      case TARGET_COLD_RESET -> {
        managed(one, lun, end);
        yield logIn(where, ONE, ISID);
      }
      case LOGOUT -> {
        one.logOut(9);
        assertThat(answer(one, 9).opcode()).as("logout response").isEqualTo(0x26);
        yield logIn(where, ONE, ISID);
      }
      case REINSTATEMENT -> logIn(where, ONE, ISID);
      case CONNECTION_REINSTATEMENT -> takeOver(where, one);
      case CONNECTION_DROPPED -> {
        one.close();
        yield logIn(where, ONE, ISID);
      }
      case CONNECTION_DROPPED_AND_ANOTHER_ISID -> {
        one.close();
        yield logIn(where, ONE, ISID + 7);
      }
      case PREEMPT_AND_ABORT -> {
        reserveOut(two, 5, 2, 1);
        yield two;
      }
      case UNEXPORT -> {
        scsi.luns().unexport(OperationId.random(), volume);
        export();
        yield two;
      }
      case INITIATOR_REMOVED -> {
        scsi.luns().removeInitiator(OperationId.random(), volume, ONE);
        yield two;
      }
      case INITIATOR_REMOVED_TWICE -> {
        var first =
            threads.submit(() -> scsi.luns().removeInitiator(OperationId.random(), volume, ONE));
        while (scsi.luns().exportOf(volume).orElseThrow().initiators().contains(ONE)) {
          Thread.sleep(1);
        }
        scsi.luns().removeInitiator(OperationId.random(), volume, ONE);
        first.get(60, TimeUnit.SECONDS);
        yield two;
      }
      case UNBIND -> {
        scsi.luns().unbind(OperationId.random(), HOST_ONE, volume);
        yield two;
      }
    };
  }

  private SocketInitiator managed(SocketInitiator one, long lun, End end) throws IOException {
    one.manage(lun, 9, end.function, 1);
    asked.countDown();
    Received answer = answer(one, 9);
    assertThat(answer.opcode()).as("task management response").isEqualTo(0x22);
    assertThat(answer.header().get(2)).as("function complete").isZero();
    return one;
  }

  private void write(SocketInitiator writer, long lun) throws IOException {
    writer.settle(lun);
    writer.command(lun, 2, 0xa1, LENGTH, WRITE, block(NEW));
    assertThat(answer(writer, 2).scsiStatus()).as("the new write").isZero();
  }

  private SocketInitiator takeOver(TargetDevice where, SocketInitiator older) throws IOException {
    SocketInitiator made = connected();
    String whereName = "TargetName=" + where.name();
    assertThat(made.logInInPlaceOf(older, ISID, "InitiatorName=" + ONE, whereName).loginStatus())
        .isZero();
    return made;
  }

  private SocketInitiator connected() throws IOException {
    SocketInitiator made = new SocketInitiator(target.portals().getFirst());
    synchronized (initiators) {
      initiators.add(made);
    }
    return made;
  }

  private SocketInitiator logIn(TargetDevice where, String name, long isid) throws IOException {
    SocketInitiator made = connected();
    String whereName = "TargetName=" + where.name();
    assertThat(made.logIn(isid, "InitiatorName=" + name, whereName).loginStatus()).isZero();
    return made;
  }

  /// The next PDU with that tag; others, such as the answer of the old write, are passed over.
  private static Received answer(SocketInitiator from, int tag) throws IOException {
    Received received = from.receive();
    while (received.tag() != tag) {
      received = from.receive();
    }
    return received;
  }

  private byte[] content(StorageEngine from) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(LENGTH);
    from.open(volume).read(0, bytes);
    byte[] content = new byte[LENGTH];
    bytes.clear().get(content);
    return content;
  }

  private static byte[] block(byte value) {
    byte[] bytes = new byte[LENGTH];
    Arrays.fill(bytes, value);
    return bytes;
  }
}

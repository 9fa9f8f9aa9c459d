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
import io.coppice.scsi.setting.ScsiSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The event loop of a connection that is alone does its transfers itself: a device that hangs in
/// one of them keeps nobody else waiting, however many loops there are.
@Timeout(180)
class LoneConnectionTest {

  private static final String NAME = "iqn.2026-11.example:one";
  private static final String WRITE = "2a 00 00000000 00 0008 00";
  private static final String INQUIRY = "12 00 00 00 60 00";
  private static final int LENGTH = 8 * 512;
  private static final byte MARK = 0x11;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /// More than the commands in a row after which a loop lends itself.
  private static final int SETTLING = 32;

  private final PoolFixture pool = PoolFixture.ofBytes(64 << 20).zones(1 << 20);
  private final SlowDevice device = new SlowDevice(pool.device());
  private final VolumeId volume = VolumeId.random();
  private final StorageEngine engine = newPool();
  private final ScsiTarget scsi = ScsiTarget.open(engine, ScsiSettings.defaults());
  private final IscsiTarget target = start();
  private final List<SocketInitiator> initiators = new ArrayList<>();

  private StorageEngine newPool() {
    StorageEngine made = pool.behind(_ -> device).format().open();
    made.create(OperationId.random(), VolumeSpec.thin(volume, 1 << 20));
    return made;
  }

  private IscsiTarget start() {
    scsi.luns().export(OperationId.random(), volume, Optional.of(0), false, Set.of(NAME));
    IscsiSettings base = IscsiSettings.loopback();
    return IscsiTarget.start(
        new IscsiSettings(base.listen(), List.of(), base.limits(), 1),
        List.of(scsi.plain()),
        _ -> Optional.empty());
  }

  @AfterEach
  void stop() throws IOException {
    device.release();
    for (SocketInitiator each : initiators) {
      each.close();
    }
    target.close();
    scsi.close();
    engine.close();
  }

  @Test
  void deviceThatHangsInItsTransferKeepsNobodyElseWaiting() throws Exception {
    SocketInitiator lone = logIn(1);
    lone.settle(0);
    hangTheLoop(lone);

    for (int i = 2; i < 6; i++) {
      SocketInitiator other = logIn(i);
      other.command(0, 1, 0xc1, 96, INQUIRY);
      assertThat(other.receive().scsiStatus()).as("INQUIRY of initiator %d", i).isZero();
      other.ping(7);
    }

    device.release();
    assertThat(lone.receive().scsiStatus()).as("the write that hung").isZero();
    for (SocketInitiator each : initiators) {
      each.settle(0);
      write(each, 2);
      each.command(0, 3, 0xc1, LENGTH, "28 00 00000000 00 0008 00");
      assertThat(each.receive().data()).containsOnly(2);
    }
  }

  /// A write waits in the device, on the event loop that brought it: the engine takes that one only
  /// if it has nothing else to do, and the loop lends itself for none for a second after a transfer
  /// that was slow, so it may need many attempts.
  private void hangTheLoop(SocketInitiator lone) throws Exception {
    long start = System.nanoTime();
    while (System.nanoTime() - start < PATIENCE.toNanos()) {
      for (int i = 0; i < SETTLING; i++) {
        write(lone, i);
      }
      device.hold(MARK);
      lone.command(0, 1, 0xa1, LENGTH, WRITE, block(MARK));
      if (device.awaitMarked().getName().startsWith("iscsi")) {
        return;
      }
      device.release();
      assertThat(lone.receive().scsiStatus()).isZero();
    }
    throw new AssertionError("expected the event loop in the device, found only other threads");
  }

  private static void write(SocketInitiator from, int value) throws IOException {
    from.command(0, 1, 0xa1, LENGTH, WRITE, block(value));
    assertThat(from.receive().scsiStatus()).isZero();
  }

  private SocketInitiator logIn(int isid) throws IOException {
    SocketInitiator made = new SocketInitiator(target.portals().getFirst());
    initiators.add(made);
    Received answer =
        made.logIn(isid, "InitiatorName=" + NAME, "TargetName=" + scsi.plain().name());
    assertThat(answer.loginStatus()).isZero();
    return made;
  }

  private static byte[] block(int value) {
    byte[] bytes = new byte[LENGTH];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }
}

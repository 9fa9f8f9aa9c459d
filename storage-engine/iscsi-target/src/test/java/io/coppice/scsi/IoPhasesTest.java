package io.coppice.scsi;

import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.op;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.Initiator.Pending;
import io.coppice.scsi.limit.LimitAttributes;
import io.coppice.scsi.limit.Limits;
import io.coppice.scsi.limit.ManualTimer;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.transport.TaskAttribute;
import io.coppice.scsi.unit.IoTime;
import io.coppice.scsi.unit.PhaseCounts;
import io.coppice.scsi.unit.Traffic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The phases into which the time of reads and writes is divided. Limits follow a time that only
/// the test moves; all other waits last until the test ends them.
class IoPhasesTest {

  private static final String READ = "28 00 00000000 00 0001 00";
  private static final String WRITE = "2a 00 00000000 00 0001 00";
  private static final long MILLISECOND = 1_000_000;

  private final ManualTimer alarm = new ManualTimer();
  private final HeldEngine held = new HeldEngine();
  private final Fixture fixture = new Fixture(held.engine(), alarm);
  private VolumeId volume;
  private Initiator initiator;

  @BeforeEach
  void attach() {
    volume = fixture.exported(1 << 20);
    initiator = fixture.plain();
  }

  @AfterEach
  void close() {
    held.release();
    fixture.close();
  }

  @Test
  void commandThatNeverWaitsIsTheDevicesAlone() {
    initiator.send(LUN_0, READ);
    initiator.send(LUN_0, WRITE, new byte[512]);

    Traffic counted = traffic();
    assertThat(counted.readTime()).isEqualTo(new IoTime(counted.readNanos(), 0, 0));
    assertThat(counted.writeTime()).isEqualTo(new IoTime(counted.writeNanos(), 0, 0));
    assertThat(counted.readNanos()).isPositive();
    assertThat(counted.writeNanos()).isPositive();
  }

  @Test
  void timeOfLimitedCommandsIsThatOfTheLimit() {
    engineLimit(new Limits(10, 0));
    List<Pending> reads = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      reads.add(initiator.begin(LUN_0, READ));
    }
    alarm.advanceMillis(5000);
    reads.forEach(Initiator::await);

    IoTime time = traffic().readTime();
    // The burst is one command or two; then one begins every 100 ms: 10 or 11 of them, which waits
    // 5.5 to 6.6 s together, in looks at most 100 ms apart.
    assertThat(time.limitNanos()).isBetween(4500 * MILLISECOND, 7800 * MILLISECOND);
    assertThat(time.queueNanos()).isZero();
    assertAddsUp(time, traffic().readNanos());
    long[] limit = fixture.target.traffic().readPhases().limit();
    assertThat(Arrays.stream(limit).sum()).isEqualTo(12);
    assertThat(limit[0]).as("held back for 100 µs or less").isBetween(1L, 2L);
  }

  @Test
  void timeBehindAnOrderedCommandIsThatOfTheQueue() throws Exception {
    held.hold();
    Pending ordered = initiator.begin(TaskAttribute.ORDERED, LUN_0, WRITE, new byte[512]);
    held.awaitHeld(1);
    Pending read = initiator.begin(TaskAttribute.SIMPLE, LUN_0, READ);
    long from = System.nanoTime();
    Thread.sleep(20);
    long least = System.nanoTime() - from;
    held.release();
    Initiator.await(ordered);
    Initiator.await(read);

    Traffic counted = traffic();
    assertThat(counted.readTime().queueNanos()).isGreaterThanOrEqualTo(least);
    assertThat(counted.readNanos())
        .as("from its begin on")
        .isLessThan(counted.readTime().totalNanos());
    assertAddsUp(counted.readTime(), counted.readNanos());
    assertThat(counted.writeTime().queueNanos()).isZero();
    PhaseCounts phases = fixture.target.traffic().readPhases();
    assertThat(phases.queue()[0]).isZero();
    assertThat(Arrays.stream(phases.queue()).sum()).isOne();
    assertThat(phases.limit()[0]).isOne();
  }

  @Test
  void timeInTheEngineIsTheDevicesUnlessTheEngineSaysThatItWaited() throws Exception {
    held.hold();
    Pending write = initiator.begin(LUN_0, WRITE, new byte[512]);
    held.awaitHeld(1);
    long from = System.nanoTime();
    Thread.sleep(20);
    long least = System.nanoTime() - from;
    held.release();
    Initiator.await(write);

    IoTime time = traffic().writeTime();
    assertThat(time.deviceNanos()).isGreaterThanOrEqualTo(least);
    assertThat(time).isEqualTo(new IoTime(traffic().writeNanos(), 0, 0));
    long[] device = fixture.target.traffic().writePhases().device();
    assertThat(device[0] + device[1] + device[2]).as("1 ms or less").isZero();
    assertThat(Arrays.stream(device).sum()).isOne();
  }

  @Test
  void commandThatNeverBeganIsNotCounted() {
    engineLimit(new Limits(10, 0));
    for (int i = 0; i < 30; i++) {
      initiator.begin(LUN_0, READ);
    }
    Traffic before = traffic();
    initiator.beginDetach().join();

    assertThat(traffic().reads()).isEqualTo(before.reads());
    assertThat(traffic().readTime().limitNanos()).isEqualTo(before.readTime().limitNanos());
  }

  @Test
  void sumOfTheArrayKeepsWhatAVolumeHadWhenItIsUnbound() {
    assertThat(initiator.send(LUN_0, READ).status()).isEqualTo(ScsiStatus.GOOD);
    Traffic before = fixture.target.traffic().inAll();

    fixture.luns().unexport(op(), volume);

    assertThat(fixture.target.traffic().byVolume()).isEmpty();
    assertThat(fixture.target.traffic().inAll()).isEqualTo(before);
    assertThat(before.readTime().totalNanos()).isPositive();
  }

  @Test
  void deviceIsNeverNegative() {
    assertThat(new IoTime(10, 8, 7).deviceNanos()).isZero();
  }

  private static void assertAddsUp(IoTime time, long fromBegin) {
    assertThat(time.deviceNanos() + time.queueNanos() + time.limitNanos())
        .isEqualTo(time.totalNanos());
    assertThat(time.totalNanos()).isGreaterThanOrEqualTo(fromBegin);
  }

  private Traffic traffic() {
    return fixture.target.traffic().byVolume().get(volume);
  }

  private void engineLimit(Limits limits) {
    fixture.engine.setAttributes(op(), volume, LimitAttributes.attributesOf(limits), Set.of());
  }
}

package io.coppice.engine.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.testing.SimulatedBlockDevice;
import io.coppice.engine.thread.Uninterrupted;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A failure that one thread has heard of is no success for another one.
class FailStopDeviceTest {

  private final SimulatedBlockDevice simulated = new SimulatedBlockDevice(1 << 20);
  private final CountDownLatch told = new CountDownLatch(1);
  private final CountDownLatch heard = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void end() {
    heard.countDown();
    threads.close();
  }

  @Test
  void syncFailsWhereAnotherThreadHasNotYetHeardOfTheFailure() throws Exception {
    BlockDevice device = new FailStopDevice(new SlowToTell(simulated));
    simulated.failSync(1);
    Future<?> stable = threads.submit(() -> device.writeStable(0, block()));
    told.await();
    Future<?> sync = threads.submit(device::sync);

    assertThatThrownBy(() -> sync.get(100, TimeUnit.MILLISECONDS)).as("it waits").isNotNull();
    assertThat(sync.isDone()).isFalse();
    heard.countDown();

    assertThatThrownBy(stable::get).hasMessageContaining("the sync failed, as the test asked");
    assertThatThrownBy(sync::get)
        .hasMessageContaining("the device has failed before: the sync failed, as the test asked");
  }

  @Test
  void callsThatBeginWhileASyncWaitsAreNotHeldUp() throws Exception {
    BlockDevice device = new FailStopDevice(new SlowToTell(simulated));
    simulated.failWrite(1);
    Future<?> write = threads.submit(() -> device.write(0, block()));
    told.await();
    Future<?> sync = threads.submit(device::sync);
    while (simulated.operations() < 2) {
      Thread.onSpinWait(); // until it is done, and waits
    }

    device.writeStable(4096, block());

    heard.countDown();
    assertThatThrownBy(write::get).isNotNull();
    assertThatThrownBy(sync::get).hasMessageContaining("the device has failed before");
  }

  @Test
  void everythingFailsAfterAFailureAndReadsGoOn() {
    BlockDevice device = new FailStopDevice(simulated);
    simulated.failWrite(1);
    assertThatThrownBy(() -> device.write(0, block())).isInstanceOf(DeviceException.class);

    for (Runnable call :
        List.<Runnable>of(
            () -> device.write(4096, block()),
            () -> device.writeStable(4096, block()),
            device::sync)) {
      assertThatThrownBy(call::run)
          .isInstanceOf(DeviceException.class)
          .hasMessage("the device has failed before: the write failed, as the test asked");
    }
    assertThatCode(() -> device.read(0, AlignedBuffers.allocate(4096))).doesNotThrowAnyException();
  }

  @Test
  void wantOfSpaceIsNoFailure() {
    BlockDevice device = new FailStopDevice(new Full(simulated));
    assertThatThrownBy(() -> device.write(0, block())).isInstanceOf(DeviceException.NoSpace.class);
    assertThatCode(device::sync).doesNotThrowAnyException();
  }

  private static List<ByteBuffer> block() {
    return List.of(AlignedBuffers.allocate(4096));
  }

  /// A device whose failed writes end late: the system has told the failure, the caller has not
  /// seen it.
  private final class SlowToTell extends ForwardingDevice {

    SlowToTell(BlockDevice device) {
      super(device);
    }

    @Override
    public void write(long offset, List<ByteBuffer> from) {
      tell(() -> super.write(offset, from));
    }

    @Override
    public void writeStable(long offset, List<ByteBuffer> from) {
      tell(() -> super.writeStable(offset, from));
    }

    private void tell(Runnable call) {
      try {
        call.run();
      } catch (DeviceException e) {
        told.countDown();
        Uninterrupted.await(heard::await);
        throw e;
      }
    }
  }

  /// A device without space.
  private static final class Full extends ForwardingDevice {

    Full(BlockDevice device) {
      super(device);
    }

    @Override
    public void write(long offset, List<ByteBuffer> from) {
      throw new DeviceException.NoSpace("no space, as the test asked");
    }
  }
}

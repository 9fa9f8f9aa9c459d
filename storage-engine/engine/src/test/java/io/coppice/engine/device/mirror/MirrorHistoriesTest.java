package io.coppice.engine.device.mirror;

import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.ForwardingDevice;
import io.coppice.engine.testing.Histories;
import io.coppice.engine.testing.SimulatedBlockDevice;
import java.nio.ByteBuffer;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/// The first device is filled, and then the other one left out: whoever reads meanwhile finds one
/// of them that holds everything.
public class MirrorHistoriesTest {

  private static final int SIZE = BlockDevice.BLOCK_SIZE;

  private final Mirror mirror = new Mirror(null, new Failing());

  /// Its syncs fail.
  private static final class Failing extends ForwardingDevice {

    Failing() {
      super(new SimulatedBlockDevice(SIZE));
    }

    @Override
    public void sync() {
      throw new DeviceException("the sync failed, as the test asked");
    }
  }

  public MirrorHistoriesTest() {
    mirror.keptBy((_, _) -> {});
    mirror.fill(0, new SimulatedBlockDevice(SIZE));
  }

  @Operation(nonParallelGroup = "keeper")
  public void takeTurns() {
    if (mirror.filled(0)) {
      try {
        mirror.copies().getLast().device().sync();
      } catch (DeviceException expected) {
        // It is left out now.
      }
    }
  }

  @Operation
  public boolean hasCopy() {
    return !mirror.copies().isEmpty();
  }

  @Operation
  public boolean isRead() {
    ByteBuffer buffer = AlignedBuffers.allocate(SIZE);
    mirror.read(0, buffer);
    return !buffer.hasRemaining();
  }

  /// There always is one.
  public static final class Whole {

    public void takeTurns() {}

    public boolean hasCopy() {
      return true;
    }

    public boolean isRead() {
      return true;
    }
  }

  @Test
  void thereAlwaysIsOneThatHoldsEverything() {
    Histories.check(MirrorHistoriesTest.class, Whole.class);
  }
}

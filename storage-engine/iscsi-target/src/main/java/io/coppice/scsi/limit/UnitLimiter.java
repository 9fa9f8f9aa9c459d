package io.coppice.scsi.limit;

import io.coppice.engine.StorageException;
import io.coppice.engine.Volume;
import io.coppice.scsi.cdb.Cdb;
import io.coppice.scsi.transport.ScsiResponse;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.transport.TaskAttribute;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The limits of one volume at its logical unit. They decide which command may begin and which must
/// wait.
///
/// The settings are the volume's attributes in the pool. The next command sees a change of them;
/// waiting commands see it within 100 ms. A unit without a limit costs each command one compare and
/// one null check.
///
/// A command that waits is in its task set, so that task management finds it. It has not begun, so
/// it can be taken out at any time and touches nothing afterwards.
public final class UnitLimiter {

  /// Most Data-Out that the waiting commands of one nexus may hold together, in bytes. It is half
  /// of what the transport lets a session hold, so there is always room for units that do not wait.
  static final long WAITING_BYTES = 64L << 20;

  private final Volume volume;
  private final FairQueues queues;
  private volatile Map<String, String> seen = Map.of();
  private volatile @Nullable FairQueue queue;

  public UnitLimiter(Volume volume, FairQueues queues) {
    this.volume = volume;
    this.queues = queues;
    follow();
  }

  /// Whether a command must not begin now. If so, it waits, or was answered TASK SET FULL.
  @SuppressWarnings("ReferenceEquality") // the volume promises the same object until a change
  public boolean holdsBack(LimitedCommand command, Cdb.Block cdb) {
    if (command.wasHeld()) {
      return false; // its turn has come
    }
    if (volume.attributes() != seen) {
      follow();
    }
    FairQueue limited = queue;
    return limited != null && holdsBack(limited, command, cdb);
  }

  private boolean holdsBack(FairQueue limited, LimitedCommand command, Cdb.Block cdb) {
    long cost = CommandCost.bytesOf(cdb);
    if (cost < 0) {
      return false;
    }
    if (!reserve(command)) {
      command.finish(ScsiResponse.of(ScsiStatus.TASK_SET_FULL));
      return true;
    }
    command.heldBy(this); // before it may begin, or be taken out, on another thread
    boolean first = command.command().attribute() == TaskAttribute.HEAD_OF_QUEUE;
    return switch (queues.offer(limited, command, cost, first)) {
      case BEGIN -> {
        left(command);
        yield false;
      }
      case FULL -> {
        left(command);
        command.finish(ScsiResponse.of(ScsiStatus.TASK_SET_FULL));
        yield true;
      }
      case WAIT -> {
        command.command().completion().deferred();
        if (command.isLeaving()) {
          command.takeOut(); // whoever waits for its end came before it was in the queue
        }
        yield true;
      }
    };
  }

  private static boolean reserve(LimitedCommand command) {
    int size = command.command().dataOut().remaining();
    long before = command.waitingBytes().getAndAdd(size);
    if (before > 0 && before + size > WAITING_BYTES) {
      command.waitingBytes().addAndGet(-size);
      return false;
    }
    return true;
  }

  /// A command waits no longer.
  public void left(LimitedCommand command) {
    command.waitingBytes().addAndGet(-command.command().dataOut().remaining());
  }

  /// Takes a command out of the queue.
  ///
  /// @return false if it is not there: it has begun, or is about to
  public boolean withdraw(LimitedCommand command) {
    FairQueue limited = queue;
    boolean waited = limited != null && queues.withdraw(limited, command);
    if (waited) {
      left(command);
    }
    return waited;
  }

  /// Follows the present attributes of the volume and the present limit of its group.
  public synchronized void follow() {
    Map<String, String> attributes;
    try {
      attributes = volume.attributes();
    } catch (StorageException e) {
      return; // deleted: its commands will hear of it
    }
    seen = attributes;
    LimitAttributes wanted = LimitAttributes.of(attributes, queues.settings().groupAttribute());
    FairQueues.Group group = wanted.group().isEmpty() ? null : queues.group(wanted.group());
    boolean limited = !wanted.limits().isNone() || group != null;
    FairQueue now = queue;
    if (now == null && limited) {
      now = queues.queue(this::follow);
    }
    if (now != null) {
      queues.configure(now, wanted.limits(), wanted.weight(), group);
      queue = now; // for good: commands that come meanwhile must find those that wait
    }
  }
}

package io.coppice.scsi;

import io.coppice.engine.StorageException;
import io.coppice.engine.Volume;
import io.coppice.engine.qos.FairQueue;
import io.coppice.engine.qos.FairQueues;
import io.coppice.engine.qos.VolumeQos;
import io.coppice.scsi.cdb.Cdb;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The limits of one volume at its logical unit: which command may begin, which must wait.
///
/// The settings are the volume's attributes in the pool. A change of them is seen by the next
/// command, or within 100 ms while commands wait. A unit without a limit costs each command one
/// compare and one null check.
///
/// A command that waits is in its task set, so that task management finds it; it has not begun, so
/// that it can be taken out at any time: it touches nothing afterwards.
final class UnitAdmission {

  /// Most Data-Out that the waiting commands of one nexus may hold together, in bytes: half of what
  /// the transport lets a session hold, so that there is always room for units that do not wait.
  static final long WAITING_BYTES = 64L << 20;

  private final Volume volume;
  private final Admission admission;
  private volatile Map<String, String> seen = Map.of();
  private volatile @Nullable FairQueue queue;

  UnitAdmission(Volume volume, Admission admission) {
    this.volume = volume;
    this.admission = admission;
    follow();
  }

  /// Whether a command must not begin now: it waits, or was answered TASK SET FULL.
  @SuppressWarnings("ReferenceEquality") // the volume promises the same object until a change
  boolean holdsBack(Task task, Cdb.Block cdb) {
    if (task.wasHeld()) {
      return false; // its turn has come
    }
    if (volume.attributes() != seen) {
      follow();
    }
    FairQueue limited = queue;
    return limited != null && holdsBack(limited, task, cdb);
  }

  private boolean holdsBack(FairQueue limited, Task task, Cdb.Block cdb) {
    long cost = CommandCost.bytesOf(cdb);
    if (cost < 0) {
      return false;
    }
    if (!reserve(task)) {
      task.finish(ScsiResponse.of(ScsiStatus.TASK_SET_FULL));
      return true;
    }
    task.heldBy(this); // before it may begin, or be taken out, on another thread
    boolean first = task.command().attribute() == TaskAttribute.HEAD_OF_QUEUE;
    return switch (admission.queues().offer(limited, task, cost, first)) {
      case BEGIN -> {
        left(task);
        yield false;
      }
      case FULL -> {
        left(task);
        task.finish(ScsiResponse.of(ScsiStatus.TASK_SET_FULL));
        yield true;
      }
      case WAIT -> {
        task.command().completion().deferred();
        if (task.isLeaving()) {
          task.takeOut(); // whoever waits for its end came before it was in the queue
        }
        yield true;
      }
    };
  }

  private static boolean reserve(Task task) {
    int size = task.command().dataOut().remaining();
    long before = task.nexus().waitingBytes().getAndAdd(size);
    if (before > 0 && before + size > WAITING_BYTES) {
      task.nexus().waitingBytes().addAndGet(-size);
      return false;
    }
    return true;
  }

  /// A command waits no longer.
  void left(Task task) {
    task.nexus().waitingBytes().addAndGet(-task.command().dataOut().remaining());
  }

  /// Takes a command out of the queue.
  ///
  /// @return false if it is not there: it has begun, or is about to
  boolean withdraw(Task task) {
    FairQueue limited = queue;
    boolean waited = limited != null && admission.queues().withdraw(limited, task);
    if (waited) {
      left(task);
    }
    return waited;
  }

  /// Does what the volume's attributes, and its group, say by now.
  synchronized void follow() {
    Map<String, String> attributes;
    try {
      attributes = volume.attributes();
    } catch (StorageException e) {
      return; // deleted: its commands will hear of it
    }
    seen = attributes;
    VolumeQos qos = VolumeQos.of(attributes);
    FairQueues.Group group = qos.group().isEmpty() ? null : admission.group(qos.group());
    boolean limited = !qos.limits().isNone() || group != null;
    FairQueue now = queue;
    if (now == null && limited) {
      now = admission.queues().queue(this::follow);
    }
    if (now != null) {
      admission.queues().configure(now, qos.limits(), qos.weight(), group);
      queue = now; // for good: commands that come meanwhile must find those that wait
    }
  }
}

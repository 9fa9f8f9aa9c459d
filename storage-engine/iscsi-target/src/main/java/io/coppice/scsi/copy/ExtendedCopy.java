package io.coppice.scsi.copy;

import io.coppice.engine.CompareCompletion;
import io.coppice.engine.StorageException;
import io.coppice.engine.Volume;
import io.coppice.scsi.page.CopyStatus.State;
import io.coppice.scsi.page.NetworkAddress;
import io.coppice.scsi.parameter.CopyList;
import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.sense.SenseData;
import io.coppice.scsi.task.CopyOperation;
import io.coppice.scsi.task.SenseTranslation;
import io.coppice.scsi.task.Task;
import io.coppice.scsi.task.Workers;
import io.coppice.scsi.transport.InitiatorPort;
import io.coppice.scsi.transport.TaskAttribute;
import io.coppice.scsi.unit.OffloadLedger;
import io.coppice.scsi.unit.TaskSet;
import io.coppice.scsi.unit.VolumeUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// EXTENDED COPY: one segment after the other, each by pointer in the engine.
///
/// While a segment runs, it is in the `copies` set of its source and of its destination. So whoever
/// takes a unit away from the initiator waits for it. After entering the sets it asks again whether
/// both units may be touched.
public final class ExtendedCopy extends MultiStepCopy implements CompareCompletion {

  /// MAXIMUM SEGMENT LENGTH, for segment type 0Ah: type 02h ends at 65535 blocks.
  static final int SEGMENT_BYTES = 256 << 20;

  /// Most bytes of one engine call, so that it can end soon.
  private static final long PIECE_BYTES = 64L << 20;

  private static final int MOST_TRIES = 1000;

  private final CopyList.Plan plan;
  private final CopyScope scope;
  private int next;
  private boolean begun; // the next segment, if it is not the first call for it
  private long done; // bytes of it
  private long calling;
  private int tries;
  private long bytes;
  private @Nullable Hold source;
  private @Nullable Hold destination;

  ExtendedCopy(
      Task task, CopyList.Plan plan, CopyOperation operation, CopyScope scope, Workers workers) {
    super(task, operation, workers);
    this.plan = plan;
    this.scope = scope;
  }

  /// A segment's stay at one of its units.
  public static final class Hold extends TaskSet.InFlight {
    private final VolumeUnit unit;
    private final InitiatorPort port;

    Hold(VolumeUnit unit, InitiatorPort port) {
      this.unit = unit;
      this.port = port;
      unit.copies().add(this, TaskAttribute.SIMPLE); // never closed, never waits
    }

    public InitiatorPort port() {
      return port;
    }

    @Override
    public void begin() {}

    void leave() {
      unit.copies().remove(this);
    }
  }

  @Override
  boolean prepareNext() {
    List<CopyList.Segment> segments = plan.segments();
    if (calling > 0) {
      done += calling;
      bytes += calling;
      calling = 0;
      operation().report(operation().status().advanced(next + 1, bytes));
    }
    while (begun && done == segments.get(next).bytes()) {
      begun = false;
      done = 0;
      next++;
    }
    if (next == segments.size()) {
      task().offloads(OffloadLedger.Kind.XCOPY, 2 * bytes);
      return false;
    }
    return true;
  }

  @Override
  State outcome() {
    return State.COMPLETED;
  }

  @Override
  void call() {
    begun = true;
    operation().report(operation().status().processing(next + 1));
    copy(plan.segments().get(next));
  }

  private void copy(CopyList.Segment segment) {
    InitiatorPort port = task().nexus().initiator();
    if (isUnlisted(segment.source()) || isUnlisted(segment.destination())) {
      abort(AdditionalSense.UNREACHABLE_COPY_TARGET);
      return;
    }
    Optional<VolumeUnit> from = find(segment.source());
    Optional<VolumeUnit> to = find(segment.destination());
    if (from.isEmpty() || to.isEmpty()) {
      abort(AdditionalSense.COPY_TARGET_DEVICE_NOT_REACHABLE);
      return;
    }
    source = new Hold(from.get(), port);
    destination = new Hold(to.get(), port);
    if (!scope.reaches(port, from.get()) || !scope.reaches(port, to.get())) {
      abort(AdditionalSense.COPY_TARGET_DEVICE_NOT_REACHABLE);
    } else if (from.get().reservations().forbids(port, false)
        || to.get().reservations().forbids(port, true)) {
      conflict();
    } else if (to.get().isReadOnly() || to.get().control().writeProtect()) {
      abort(AdditionalSense.WRITE_PROTECTED);
    } else if (segment.bytes() > SEGMENT_BYTES
        || outside(from.get(), segment.sourceOffset(), segment.bytes())
        || outside(to.get(), segment.destinationOffset(), segment.bytes())) {
      abort(AdditionalSense.NONE);
    } else if (from.get() == to.get() && overlaps(segment)) {
      abort(AdditionalSense.LOGICAL_BLOCK_ADDRESS_OUT_OF_RANGE);
    } else if (segment.bytes() == 0) {
      succeeded();
    } else {
      copyPiece(from.get().volume(), to.get().volume(), segment);
    }
  }

  private static boolean overlaps(CopyList.Segment segment) {
    return Math.abs(segment.sourceOffset() - segment.destinationOffset()) < segment.bytes();
  }

  private void copyPiece(Volume from, Volume to, CopyList.Segment segment) {
    long sourceOffset = segment.sourceOffset() + done;
    long offset = segment.destinationOffset() + done;
    long rest = segment.bytes() - done;
    if (!segment.isRagged()) {
      calling = Math.min(rest, PIECE_BYTES);
      to.copyFrom(from, sourceOffset, offset, calling, this);
    } else if (tries++ < MOST_TRIES) {
      UnalignedPiece piece = UnalignedPiece.of(offset, rest);
      calling = piece.bytes();
      piece.merge(from, sourceOffset, to);
      to.compareAndWrite(piece.start(), piece.before(), piece.after(), this);
    } else {
      busy();
    }
  }

  @Override
  public void written() {
    tries = 0;
    succeeded();
  }

  /// Another write came between the read and this one: it tries once more.
  @Override
  public void miscompared(long mismatchOffset) {
    calling = 0;
    succeeded();
  }

  private boolean isUnlisted(int device) {
    return device != CopyList.SELF && device >= plan.devices().size();
  }

  private Optional<VolumeUnit> find(int device) {
    if (device == CopyList.SELF) {
      return Optional.of(operation().unit())
          .filter(VolumeUnit.class::isInstance)
          .map(VolumeUnit.class::cast);
    }
    CopyList.Device wanted = plan.devices().get(device);
    return scope.find(
        task().nexus().initiator(), new NetworkAddress(wanted.naaHigh(), wanted.naaLow()));
  }

  private static boolean outside(VolumeUnit unit, long offset, long bytes) {
    long size = unit.blocks() * VolumeUnit.BLOCK_SIZE;
    return offset > size || bytes > size - offset;
  }

  private void abort(AdditionalSense why) {
    abort(SenseData.copyAborted(why, next));
  }

  @Override
  void leave() {
    Hold first = source;
    Hold second = destination;
    source = null;
    destination = null;
    if (first != null) {
      first.leave();
    }
    if (second != null) {
      second.leave();
    }
  }

  /// COPY ABORTED with the code that a host's own write would have met.
  @Override
  public void failed(StorageException failure) {
    abort(SenseTranslation.senseOf(failure).additional());
  }
}

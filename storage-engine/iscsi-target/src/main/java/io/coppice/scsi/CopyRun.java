package io.coppice.scsi;

import io.coppice.engine.StorageException;
import io.coppice.scsi.page.CopyStatus;
import io.coppice.scsi.page.CopyStatus.State;
import io.coppice.scsi.page.NetworkAddress;
import io.coppice.scsi.parameter.CopyList;
import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.sense.SenseData;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// EXTENDED COPY: one segment after the other, each by pointer in the engine.
///
/// While a segment runs it is in the `copies` set of its source and of its destination, so that
/// whoever takes a unit away from the initiator waits for it; whether both units may be touched is
/// asked again after entering the sets.
final class CopyRun extends Steps {

  private final CopyList.Plan plan;
  private final CopyScope scope;
  private final Workers workers;
  private int next;
  private long blocks;
  private @Nullable Hold source;
  private @Nullable Hold destination;

  CopyRun(Task task, CopyList.Plan plan, CopyScope scope, Workers workers) {
    super(task);
    this.plan = plan;
    this.scope = scope;
    this.workers = workers;
  }

  /// A segment's stay at one of its units.
  static final class Hold extends CommandSet.InFlight {
    private final VolumeUnit unit;
    private final InitiatorPort port;

    Hold(VolumeUnit unit, InitiatorPort port) {
      this.unit = unit;
      this.port = port;
      unit.copies().add(this, TaskAttribute.SIMPLE); // never closed, never waits
    }

    InitiatorPort port() {
      return port;
    }

    @Override
    void begin() {}

    void leave() {
      unit.copies().remove(this);
    }
  }

  @Override
  void step() {
    leave();
    List<CopyList.Segment> segments = plan.segments();
    if (next > 0) {
      blocks += segments.get(next - 1).blocks();
    }
    keep(next == segments.size() ? State.COMPLETED : State.IN_PROGRESS);
    if (next == segments.size()) {
      task().succeeded();
      return;
    }
    int index = next++;
    workers.run(task(), () -> guarded(segments.get(index), index), () -> keep(State.FAILED));
  }

  private void guarded(CopyList.Segment segment, int index) {
    try {
      copy(segment, index);
    } catch (StorageException e) {
      failed(e);
    } catch (RuntimeException | Error e) {
      abandoned();
      throw e;
    }
  }

  private void copy(CopyList.Segment segment, int index) {
    InitiatorPort port = task().nexus().initiator();
    if (Math.max(segment.source(), segment.destination()) >= plan.devices().size()) {
      abort(AdditionalSense.UNREACHABLE_COPY_TARGET, index);
      return;
    }
    Optional<VolumeUnit> from = find(segment.source());
    Optional<VolumeUnit> to = find(segment.destination());
    if (from.isEmpty() || to.isEmpty()) {
      abort(AdditionalSense.COPY_TARGET_DEVICE_NOT_REACHABLE, index);
      return;
    }
    source = new Hold(from.get(), port);
    destination = new Hold(to.get(), port);
    if (!scope.reaches(port, from.get()) || !scope.reaches(port, to.get())) {
      abort(AdditionalSense.COPY_TARGET_DEVICE_NOT_REACHABLE, index);
    } else if (from.get().reservations().forbids(port, false)
        || to.get().reservations().forbids(port, true)) {
      abandoned();
      task().finish(ScsiResponse.of(ScsiStatus.RESERVATION_CONFLICT));
    } else if (to.get().isReadOnly() || to.get().control().writeProtect()) {
      abort(AdditionalSense.WRITE_PROTECTED, index);
    } else if (outside(from.get(), segment.sourceLba(), segment.blocks())
        || outside(to.get(), segment.destinationLba(), segment.blocks())) {
      abort(AdditionalSense.NONE, index);
    } else if (segment.blocks() == 0) {
      succeeded();
    } else {
      to.get()
          .volume()
          .copyFrom(
              from.get().volume(),
              segment.sourceLba() * VolumeUnit.BLOCK_SIZE,
              segment.destinationLba() * VolumeUnit.BLOCK_SIZE,
              (long) segment.blocks() * VolumeUnit.BLOCK_SIZE,
              this);
    }
  }

  private Optional<VolumeUnit> find(int device) {
    CopyList.Device wanted = plan.devices().get(device);
    return scope.find(
        task().nexus().initiator(), new NetworkAddress(wanted.naaHigh(), wanted.naaLow()));
  }

  private static boolean outside(VolumeUnit unit, long lba, int blocks) {
    return lba > unit.blocks() || blocks > unit.blocks() - lba;
  }

  private void abort(AdditionalSense why, int segment) {
    leave();
    SenseData sense = SenseData.copyAborted(why, segment);
    task().nexus().keep(plan.listId(), new CopyStatus(State.FAILED, next, blocks, sense));
    task().fail(sense);
  }

  private void keep(State state) {
    task().nexus().keep(plan.listId(), new CopyStatus(state, next, blocks, null));
  }

  @Override
  void abandoned() {
    keep(State.FAILED);
    leave();
  }

  private void leave() {
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
    abort(SenseTranslation.senseOf(failure).additional(), next - 1);
  }
}

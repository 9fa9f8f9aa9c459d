package io.coppice.scsi.task;

import io.coppice.scsi.cdb.Cdb;
import io.coppice.scsi.unit.LogicalUnit;
import io.coppice.scsi.unit.ReachLog;
import io.coppice.scsi.unit.TaskSet;
import io.coppice.scsi.unit.VolumeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// One logical unit as one nexus sees it (SAM-5: I_T_L nexus): its unit attentions and its
/// commands.
public final class UnitNexus {

  private final NexusState nexus;
  private final LogicalUnit unit;
  private final TaskSet commands = new TaskSet();
  private final AtomicInteger attentions = new AtomicInteger(UnitAttention.POWER_ON.bit());
  private volatile long sizeSeenInBytes;
  private volatile boolean thinSeen;
  private final ReachLog.@Nullable Visit visit;
  private volatile byte @Nullable [] echo;

  UnitNexus(NexusState nexus, LogicalUnit unit) {
    this.nexus = nexus;
    this.unit = unit;
    this.sizeSeenInBytes = unit.sizeInBytes();
    this.thinSeen = unit.isThin();
    this.visit =
        unit instanceof VolumeUnit volume ? volume.reached().enter(nexus.initiator().name()) : null;
  }

  /// Notes that a command came.
  ///
  /// @param nanos now, by [System#nanoTime]
  public void visited(long nanos) {
    if (visit != null) {
      visit.note(nanos);
    }
  }

  NexusState nexus() {
    return nexus;
  }

  public LogicalUnit unit() {
    return unit;
  }

  public TaskSet commands() {
    return commands;
  }

  /// The content that the nexus last wrote into its echo buffer; null if nothing yet.
  public byte @Nullable [] echo() {
    return echo;
  }

  public void echo(byte[] written) {
    echo = written;
  }

  public void raise(UnitAttention attention) {
    attentions.accumulateAndGet(attention.bit(), (set, bit) -> set | bit);
  }

  public void clear(UnitAttention attention) {
    attentions.accumulateAndGet(attention.bit(), (set, bit) -> set & ~bit);
  }

  /// Takes the most important condition that this command must report, if any (SAM-5 §5.14).
  /// INQUIRY and REPORT LUNS report none; REQUEST SENSE returns one as its data.
  @Nullable
  public UnitAttention takeFor(Cdb cdb) {
    long size = unit.sizeInBytes();
    if (size != sizeSeenInBytes) {
      sizeSeenInBytes = size;
      raise(UnitAttention.CAPACITY_CHANGED);
    }
    boolean thin = unit.isThin();
    if (thin != thinSeen) { // VPD page B2h and the threshold's mode page (SBC-4 §4.7.3.1, §6.5.9)
      thinSeen = thin;
      raise(UnitAttention.INQUIRY_CHANGED);
      raise(UnitAttention.MODE_CHANGED);
    }
    boolean exempt =
        cdb instanceof Cdb.Inquiry
            || cdb instanceof Cdb.ReportLuns
            || cdb instanceof Cdb.RequestSense;
    return exempt || attentions.get() == 0 ? null : take();
  }

  /// Takes the most important condition; null if there is none.
  @Nullable
  public UnitAttention take() {
    for (UnitAttention attention : UnitAttention.values()) {
      int before = attentions.getAndAccumulate(attention.bit(), (set, bit) -> set & ~bit);
      if ((before & attention.bit()) != 0) {
        return attention;
      }
    }
    return null;
  }
}

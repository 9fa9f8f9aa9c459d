package io.coppice.scsi.task;

import io.coppice.engine.Completion;
import io.coppice.engine.StorageException;
import io.coppice.scsi.limit.LimitedCommand;
import io.coppice.scsi.limit.UnitLimiter;
import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.sense.SenseCode;
import io.coppice.scsi.sense.SenseData;
import io.coppice.scsi.sense.SenseKey;
import io.coppice.scsi.transport.DataInRefusedException;
import io.coppice.scsi.transport.ScsiCommand;
import io.coppice.scsi.transport.ScsiResponse;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.unit.IoCounts;
import io.coppice.scsi.unit.OffloadLedger;
import io.coppice.scsi.unit.TaskSet;
import io.coppice.scsi.unit.VolumeUnit;
import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A command in flight, from its arrival at a logical unit to its answer. As a [Completion] it
/// answers the command when the engine is done.
public final class Task extends TaskSet.InFlight implements Completion, LimitedCommand {

  private static final Logger LOG = System.getLogger(Task.class.getName());

  private final ScsiCommand command;
  private final UnitNexus path;
  private final Consumer<Task> start;
  private final AtomicBoolean finished = new AtomicBoolean();
  private final @Nullable Thread lent;
  private volatile boolean answered;
  private long transferLength;
  private @Nullable ByteBuffer dataIn;
  private OffloadLedger.@Nullable Kind offload;
  private long bytesSpared;

  /// What the host was told, so that it does the work itself; null if it was not refused.
  private @Nullable SenseCode fellBack;

  private @Nullable IoCounts ofUnit;
  private @Nullable IoCounts ofInitiator;
  private long countedBlocks;
  private long limitNanos;

  // Written by who has the command: first its caller, then the engine, which hands it on safely.
  private long began;
  private long waitsSince;
  private long engineQueueNanos;

  /// The limiter that held it back; null if none did.
  private volatile @Nullable UnitLimiter heldBy;

  /// @param start begins a command
  public Task(ScsiCommand command, UnitNexus path, Consumer<Task> start) {
    this.command = command;
    this.path = path;
    this.start = start;
    this.lent = command.lendsThread() ? Thread.currentThread() : null;
  }

  /// Whether one transfer may use the calling thread, which brought the command.
  public boolean isLent() {
    return Thread.currentThread().equals(lent);
  }

  @Override
  public void beginAfter(long heldNanos) {
    UnitLimiter held = heldBy;
    if (held != null) {
      held.left(this);
    }
    limitNanos = heldNanos;
    begin();
  }

  /// Begins it: its turn has come, in the task set or after it was held back.
  @Override
  public void begin() {
    if (isAborted()) {
      succeeded(); // taken out before it began: answered TASK ABORTED
    } else {
      start.accept(this);
    }
  }

  /// Whether a limit has held it back; that happens at most once.
  @Override
  public boolean wasHeld() {
    return heldBy != null;
  }

  @Override
  public void heldBy(UnitLimiter admission) {
    heldBy = admission;
  }

  @Override
  public boolean waitsElsewhere() {
    return heldBy != null;
  }

  @Override
  public void takeOut() {
    UnitLimiter held = heldBy;
    if (held != null && held.withdraw(this)) {
      finish(ScsiResponse.of(ScsiStatus.TASK_SET_FULL)); // or TASK ABORTED, if it is that
    }
  }

  @Override
  public ScsiCommand command() {
    return command;
  }

  public UnitNexus path() {
    return path;
  }

  @Override
  public AtomicLong waitingBytes() {
    return nexus().waitingBytes();
  }

  public NexusState nexus() {
    return path.nexus();
  }

  /// Memory to read into. It is the answer if the command succeeds.
  public ByteBuffer allocateDataIn(int length) {
    ByteBuffer buffer = command.dataIn().allocate(length);
    dataIn = buffer;
    return buffer;
  }

  /// Notes the length that the CDB asked to move, if it is Data-Out.
  public void expectDataOut(long length) {
    transferLength = length;
  }

  /// Notes that the command spares the host moving data itself; it counts if the command ends GOOD.
  public void offloads(OffloadLedger.Kind kind, long bytes) {
    offload = kind;
    bytesSpared = bytes;
  }

  /// Notes that the command is a read that begins now. It is counted when it is answered.
  public void countRead(VolumeUnit unit, long blocks) {
    count(unit.traffic().reads(), nexus().traffic().reads(), blocks);
  }

  /// Notes that the command is a write that begins now. It is counted when it is answered.
  public void countWrite(VolumeUnit unit, long blocks) {
    count(unit.traffic().writes(), nexus().traffic().writes(), blocks);
  }

  private void count(IoCounts atUnit, IoCounts byInitiator, long blocks) {
    countedBlocks = blocks;
    began = System.nanoTime();
    path.visited(began);
    waitsSince = began;
    ofInitiator = byInitiator;
    ofUnit = atUnit;
  }

  @Override
  public void entersQueue(long at) {
    waitsSince = at;
  }

  @Override
  public void leavesQueue(long at) {
    long since = waitsSince;
    if (since != 0) {
      waitsSince = 0;
      engineQueueNanos += Math.max(0, at - since);
    }
  }

  private void account(ScsiResponse response) {
    IoCounts atUnit = ofUnit;
    IoCounts byInitiator = ofInitiator;
    if (atUnit != null && byInitiator != null) {
      long spent = System.nanoTime() - began;
      atUnit.add(countedBlocks, spent, limitNanos, waitNanos(), engineQueueNanos);
      byInitiator.add(countedBlocks, spent, limitNanos, waitNanos(), engineQueueNanos);
    }
    if (!(path.unit() instanceof VolumeUnit unit)) {
      return;
    }
    OffloadLedger.Kind kind = offload;
    SenseCode told = fellBack;
    String initiator = nexus().initiator().name();
    if (kind != null && response.status() == ScsiStatus.GOOD) {
      unit.ledger().add(initiator, kind, bytesSpared);
    } else if (told != null) {
      OffloadLedger.Kind.of(command.cdb())
          .ifPresent(asked -> unit.ledger().addFallBack(initiator, asked, told));
    }
  }

  public long transferLength() {
    return transferLength;
  }

  /// GOOD with the memory read into, or with nothing.
  @Override
  public void succeeded() {
    ByteBuffer read = dataIn;
    finish(read == null ? ScsiResponse.good(transferLength) : ScsiResponse.good(read.position(0)));
  }

  @Override
  public void failed(StorageException failure) {
    fail(SenseTranslation.senseOf(failure));
  }

  public void fail(SenseData sense) {
    boolean isRefusal =
        sense.key() != SenseKey.UNIT_ATTENTION && sense.key() != SenseKey.MISCOMPARE;
    fellBack = isRefusal ? sense.code() : null;
    finish(
        ScsiResponse.checkCondition(
            path.unit().sensesInDescriptors() ? sense.encodeDescriptors() : sense.encode()));
  }

  /// Whether the unit takes writes. If not, the command has ended.
  public boolean mayWrite(VolumeUnit unit) {
    if (unit.isReadOnly()) {
      fail(SenseData.of(SenseKey.DATA_PROTECT, AdditionalSense.WRITE_PROTECTED));
      return false;
    }
    if (unit.control().writeProtect()) {
      fail(
          SenseData.of(
              SenseKey.DATA_PROTECT, AdditionalSense.LOGICAL_UNIT_SOFTWARE_WRITE_PROTECTED));
      return false;
    }
    return true;
  }

  /// Ends a command that met a bug of ours or a lack of memory. The initiator and the operator both
  /// hear of it. A command that did not end would keep its nexus for ever.
  public void failUnexpectedly(Throwable failure) {
    if (failure instanceof DataInRefusedException) {
      finish(ScsiResponse.of(ScsiStatus.TASK_SET_FULL));
      return;
    }
    LOG.log(
        Logger.Level.ERROR,
        "a command at LUN " + command.lun() + " ended in an unexpected failure",
        failure);
    fail(SenseData.of(SenseKey.HARDWARE_ERROR, AdditionalSense.INTERNAL_TARGET_FAILURE));
  }

  public void fail(AdditionalSense illegal) {
    fail(SenseData.illegalRequest(illegal));
  }

  /// GOOD with as much of `data` as the allocation length takes.
  public void reply(ByteBuffer data, int allocationLength) {
    finish(truncated(command, data, allocationLength));
  }

  public static ScsiResponse truncated(ScsiCommand command, ByteBuffer data, int allocationLength) {
    int length = Math.min(data.remaining(), allocationLength);
    if (length == 0) {
      return ScsiResponse.good(0);
    }
    ByteBuffer to = command.dataIn().allocate(length);
    to.put(to.position(), data, data.position(), length);
    return ScsiResponse.good(to);
  }

  /// Answers the command with GOOD but keeps it in its task set until it is finished: whoever ends
  /// commands there also ends its operation. Its Data-Out must not be used any more.
  public void answer() {
    if (!isAborted()) {
      answered = true;
      command.completion().complete(ScsiResponse.good(transferLength));
    }
  }

  /// Whether that is its tag. It no longer is when only an operation in the background is left of
  /// it.
  public boolean isTagged(long tag) {
    return command.tag() == tag && !answered;
  }

  /// Answers the command, once: later calls do nothing.
  @Override
  public void finish(ScsiResponse response) {
    if (!finished.compareAndSet(false, true)) {
      return;
    }
    try {
      account(response);
      if (!answered) {
        command
            .completion()
            .complete(isAborted() ? ScsiResponse.of(ScsiStatus.TASK_ABORTED) : response);
      }
    } finally {
      // After the answer: whoever waits for this command may rely on its completion having run.
      path.commands().remove(this);
    }
  }
}

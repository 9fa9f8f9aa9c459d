package io.coppice.scsi.command;

import io.coppice.engine.CompareCompletion;
import io.coppice.engine.StorageException;
import io.coppice.engine.Volume;
import io.coppice.engine.range.ByteRange;
import io.coppice.scsi.cdb.Cdb;
import io.coppice.scsi.copy.CopyCommands;
import io.coppice.scsi.page.Capacity;
import io.coppice.scsi.page.ModePages;
import io.coppice.scsi.parameter.ModeList;
import io.coppice.scsi.parameter.UnmapList;
import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.sense.SenseData;
import io.coppice.scsi.setting.MediumSettings;
import io.coppice.scsi.setting.ScsiLimits;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.task.Nexuses;
import io.coppice.scsi.task.Task;
import io.coppice.scsi.task.UnitAttention;
import io.coppice.scsi.task.Workers;
import io.coppice.scsi.transport.ScsiResponse;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.unit.OffloadLedger;
import io.coppice.scsi.unit.VolumeUnit;
import java.nio.ByteBuffer;
import java.util.List;

/// The commands of a logical unit with a medium (SBC-4) on its volume.
///
/// None of them blocks: a later answer of the engine completes the command, and what may block
/// there runs on the workers. Write protection is checked first, then the range.
public final class BlockCommands {

  /// MAXIMUM COMPARE AND WRITE LENGTH: the most that the field can say.
  static final int MAX_COMPARE_BLOCKS = 255;

  private static final int BLOCK = VolumeUnit.BLOCK_SIZE;

  /// ATOMIC ALIGNMENT and ATOMIC TRANSFER LENGTH GRANULARITY.
  static final int ATOMIC_BLOCKS = 1 << VolumeUnit.PHYSICAL_EXPONENT;

  /// Longest transfer on a thread that is lent: a longer one takes its time, and gains little.
  private static final int MAX_BYTES_HERE = 64 << 10;

  private final ScsiLimits limits;
  private final MediumSettings medium;
  private final CopyCommands copies;
  private final Nexuses nexuses;
  private final ReservationCommands reservations;
  private final UnitReports reports;

  public BlockCommands(
      ScsiSettings settings,
      Workers workers,
      CopyCommands copies,
      Nexuses nexuses,
      UnitReports reports) {
    this.reports = reports;
    this.limits = settings.limits().commands();
    this.medium = settings.medium();
    this.copies = copies;
    this.nexuses = nexuses;
    this.reservations = new ReservationCommands(workers, nexuses, copies.scope());
  }

  public void execute(Task task, VolumeUnit unit, Cdb.Block cdb) {
    switch (cdb) { // no default: a new command must be handled here to compile
      case Cdb.ReadCapacity10 _ -> task.reply(Capacity.encode10(unit.blocks(), BLOCK), 8);
      case Cdb.ReadCapacity16(int length) ->
          task.reply(
              Capacity.encode16(unit.blocks(), BLOCK, medium.physicalExponent(), true), length);
      case Cdb.Read(long lba, long blocks) -> read(task, unit, lba, blocks);
      case Cdb.Write(long lba, long blocks) -> {
        if (admitsWrite(task, unit, lba, blocks)) {
          task.countWrite(unit, blocks);
          write(task, unit, lba, blocks);
        }
      }
      case Cdb.WriteAndVerify write -> writeAndVerify(task, unit, write);
      case Cdb.Verify verify -> verify(task, unit, verify);
      case Cdb.SynchronizeCache(long lba, long blocks) -> rangeOnly(task, unit, lba, blocks);
      case Cdb.Prefetch(long lba, long blocks) -> rangeOnly(task, unit, lba, blocks);
      case Cdb.WriteSame same -> writeSame(task, unit, same);
      case Cdb.Unmap unmap -> unmap(task, unit, unmap);
      case Cdb.CompareAndWrite compare -> compareAndWrite(task, unit, compare);
      case Cdb.GetLbaStatus status -> reports.lbaStatus(task, unit, status);
      case Cdb.ThirdPartyCopy copy -> copies.execute(task, unit, copy);
      case Cdb.Reserve _ -> {
        if (unit.reservations().reserve(task.nexus())) {
          task.succeeded();
        } else {
          task.finish(ScsiResponse.of(ScsiStatus.RESERVATION_CONFLICT));
        }
      }
      case Cdb.Release _ -> {
        unit.reservations().release(task.nexus());
        task.succeeded();
      }
      case Cdb.ReserveIn in -> reservations.in(task, unit, in);
      case Cdb.ReserveOut out -> reservations.out(task, unit, out);
      case Cdb.OrWrite(long lba, long blocks) -> {
        if (admitsWrite(task, unit, lba, blocks)) {
          task.countWrite(unit, blocks);
          task.expectDataOut(blocks * BLOCK);
          ByteBuffer bits = sent(task, blocks * BLOCK);
          ByteBuffer whole = UnalignedWrite.isRagged(bits) ? UnalignedWrite.padded(bits) : bits;
          ReadModifyWrite.or(task, unit, lba * BLOCK, whole).succeeded();
        }
      }
      case Cdb.WriteAtomic(long lba, int blocks) -> writeAtomic(task, unit, lba, blocks);
      case Cdb.ModeSelect select -> modeSelect(task, unit, select);
      case Cdb.LogSense log -> reports.log(task, unit, log);
      case Cdb.ReadBuffer read -> reports.readBuffer(task, read);
      case Cdb.WriteBuffer(int length) -> reports.writeBuffer(task, length);
      case Cdb.StartUnit _ -> task.succeeded(); // it never stops
    }
  }

  private void read(Task task, VolumeUnit unit, long lba, long blocks) {
    if (!inRange(task, unit, lba, blocks) || !inTransferLimit(task, blocks)) {
      return;
    }
    if (blocks == 0) {
      task.succeeded();
      return;
    }
    task.countRead(unit, blocks);
    ByteBuffer into = task.allocateDataIn((int) (blocks * BLOCK));
    if (isDoneHere(task, into)) {
      unit.volume().readHere(lba * BLOCK, into, task);
    } else {
      unit.volume().read(lba * BLOCK, into, task);
    }
  }

  private boolean admitsWrite(Task task, VolumeUnit unit, long lba, long blocks) {
    return task.mayWrite(unit) && inRange(task, unit, lba, blocks) && inTransferLimit(task, blocks);
  }

  /// Writes all that was sent of what the CDB asks for, also if that ends inside a block. An
  /// initiator that expects to send less than the CDB says gets a residual, not an error (RFC 7143
  /// §11.4.5.1), so nothing that it sent may be left out.
  private static void write(Task task, VolumeUnit unit, long lba, long blocks) {
    ByteBuffer from = sent(task, blocks * BLOCK);
    task.expectDataOut(blocks * BLOCK);
    if (!from.hasRemaining()) {
      task.succeeded();
    } else if (UnalignedWrite.isRagged(from)) {
      UnalignedWrite.begin(task, unit, lba * BLOCK, from, task);
    } else if (isDoneHere(task, from)) {
      unit.volume().writeHere(lba * BLOCK, from, task);
    } else {
      unit.volume().write(lba * BLOCK, from, task);
    }
  }

  private static boolean isDoneHere(Task task, ByteBuffer data) {
    return data.remaining() <= MAX_BYTES_HERE && task.isLent();
  }

  /// The part that came of the data that the CDB asks for.
  private static ByteBuffer sent(Task task, long bytes) {
    ByteBuffer from = task.command().dataOut();
    int length = (int) Math.min(bytes, from.remaining());
    return length == from.remaining() ? from : from.slice(from.position(), length);
  }

  /// Writes all of it or nothing, for readers and over a crash. So less data than the CDB says is
  /// refused.
  private static void writeAtomic(Task task, VolumeUnit unit, long lba, int blocks) {
    if (!task.mayWrite(unit) || !inRange(task, unit, lba, blocks)) {
      return;
    }
    int bytes = blocks * BLOCK;
    boolean aligned = (lba | blocks) % ATOMIC_BLOCKS == 0;
    if (!aligned
        || bytes > ReadModifyWrite.PIECE_BYTES
        || task.command().dataOut().remaining() < bytes) {
      task.fail(AdditionalSense.INVALID_FIELD_IN_CDB);
      return;
    }
    task.countWrite(unit, blocks);
    task.expectDataOut(bytes);
    ReadModifyWrite.replace(task, unit, lba * BLOCK, sent(task, bytes)).succeeded();
  }

  private void modeSelect(Task task, VolumeUnit unit, Cdb.ModeSelect cdb) {
    switch (ModeList.decode(task.command().dataOut(), cdb, unit.blocks(), unit.modes())) {
      case ModeList.Refused(SenseData sense) -> task.fail(sense);
      case ModeList.Values(ModePages.Control next) -> {
        task.expectDataOut(cdb.parameterListLength());
        if (!next.equals(unit.control())) {
          unit.control(next);
          nexuses.raise(UnitAttention.MODE_CHANGED, unit, nexus -> nexus != task.nexus());
        }
        task.succeeded();
      }
    }
  }

  private void writeAndVerify(Task task, VolumeUnit unit, Cdb.WriteAndVerify cdb) {
    if (!admitsWrite(task, unit, cdb.lba(), cdb.blocks())) {
      return;
    }
    task.countWrite(unit, cdb.blocks());
    ByteBuffer from = sent(task, cdb.blocks() * BLOCK);
    task.expectDataOut(cdb.blocks() * BLOCK);
    if (!from.hasRemaining()) {
      task.succeeded();
      return;
    }
    ByteBuffer expected = from.duplicate();
    Verification check =
        cdb.compare()
            ? Verification.comparing(task, unit, cdb.lba() * BLOCK, expected)
            : Verification.reading(task, unit, cdb.lba() * BLOCK, expected.remaining());
    if (UnalignedWrite.isRagged(from)) {
      UnalignedWrite.begin(task, unit, cdb.lba() * BLOCK, from, check);
    } else {
      unit.volume().write(cdb.lba() * BLOCK, from, check);
    }
  }

  private void verify(Task task, VolumeUnit unit, Cdb.Verify cdb) {
    if (!inRange(task, unit, cdb.lba(), cdb.blocks())) {
      return;
    }
    long bytes = cdb.blocks() * BLOCK;
    ByteBuffer expected = task.command().dataOut().slice();
    switch (cdb.byteCheck()) {
      case 0 -> Verification.reading(task, unit, cdb.lba() * BLOCK, bytes).succeeded();
      case 1 -> {
        if (inTransferLimit(task, cdb.blocks())) {
          task.expectDataOut(bytes);
          int length = (int) Math.min(bytes, expected.remaining());
          Verification.comparing(task, unit, cdb.lba() * BLOCK, expected.limit(length)).succeeded();
        }
      }
      default -> {
        if (expected.remaining() != BLOCK && bytes != 0) {
          task.fail(AdditionalSense.INVALID_FIELD_IN_CDB);
        } else {
          task.expectDataOut(BLOCK);
          Verification.comparingEach(task, unit, cdb.lba() * BLOCK, bytes, expected).succeeded();
        }
      }
    }
  }

  /// Every acknowledged write is stable, and nothing is worth fetching ahead: only the range
  /// counts.
  private static void rangeOnly(Task task, VolumeUnit unit, long lba, long blocks) {
    if (inRange(task, unit, lba, blocks)) {
      task.succeeded();
    }
  }

  private void writeSame(Task task, VolumeUnit unit, Cdb.WriteSame cdb) {
    if (!mayAnchor(task, unit, cdb.anchor()) || !task.mayWrite(unit)) {
      return;
    }
    ByteBuffer block = task.command().dataOut();
    if (!inRange(task, unit, cdb.lba(), cdb.blocks())) {
      return;
    }
    long blocks =
        cdb.blocks() == 0 && medium.writeSameToEnd() ? unit.blocks() - cdb.lba() : cdb.blocks();
    boolean nothing = cdb.blocks() == 0 && !medium.writeSameToEnd(); // WSNZ
    boolean tooLong = blocks > limits.writeSameInBytes() / BLOCK;
    boolean badBlock = !cdb.noDataOut() && block.remaining() != BLOCK;
    if (nothing || tooLong || badBlock) {
      task.fail(AdditionalSense.INVALID_FIELD_IN_CDB);
      return;
    }
    Volume volume = unit.volume();
    long offset = cdb.lba() * BLOCK;
    long length = blocks * BLOCK;
    task.expectDataOut(cdb.noDataOut() ? 0 : BLOCK);
    task.offloads(
        OffloadLedger.Kind.WRITE_SAME, Math.max(0, length - (cdb.noDataOut() ? 0 : BLOCK)));
    if (length == 0) {
      task.succeeded(); // to the end, from the end
      return;
    }
    if (cdb.noDataOut() || isZero(block)) {
      // With UNMAP or without, the blocks read as zeros, and nothing need be stored for that.
      if (cdb.unmap()) {
        volume.unmap(offset, length, task);
      } else {
        volume.writeZeroes(offset, length, task);
      }
    } else {
      volume.writeSame(offset, length, block, task);
    }
  }

  private static boolean isZero(ByteBuffer block) {
    for (int at = block.position(); at < block.limit(); at += Long.BYTES) {
      if (block.getLong(at) != 0) {
        return false;
      }
    }
    return true;
  }

  private static List<ByteRange> ranges(List<UnmapList.Run> runs) {
    return runs.stream()
        .map(run -> new ByteRange(run.lba() * BLOCK, run.blocks() * BLOCK))
        .toList();
  }

  private void unmap(Task task, VolumeUnit unit, Cdb.Unmap cdb) {
    if (!mayAnchor(task, unit, cdb.anchor()) || !task.mayWrite(unit)) {
      return;
    }
    int length = cdb.parameterListLength();
    UnmapList.Limits most =
        new UnmapList.Limits(limits.unmapDescriptors(), limits.unmapInBytes() / BLOCK);
    switch (UnmapList.decode(task.command().dataOut(), length, most)) {
      case UnmapList.Refused(SenseData sense) -> task.fail(sense);
      case UnmapList.Runs(List<UnmapList.Run> runs) -> {
        for (UnmapList.Run run : runs) {
          if (!inRange(task, unit, run.lba(), run.blocks())) {
            return;
          }
        }
        task.expectDataOut(length);
        long unmapped = runs.stream().mapToLong(UnmapList.Run::blocks).sum();
        task.offloads(OffloadLedger.Kind.UNMAP, unmapped * BLOCK);
        unit.volume().unmap(ranges(runs), task);
      }
    }
  }

  private void compareAndWrite(Task task, VolumeUnit unit, Cdb.CompareAndWrite cdb) {
    if (!task.mayWrite(unit) || !inRange(task, unit, cdb.lba(), cdb.blocks())) {
      return;
    }
    int length = cdb.blocks() * BLOCK;
    ByteBuffer sent = task.command().dataOut();
    if (sent.remaining() != 2 * length) {
      task.fail(SenseData.invalidCdb(13));
      return;
    }
    task.expectDataOut(2L * length);
    if (length == 0) {
      task.succeeded();
      return;
    }
    task.offloads(OffloadLedger.Kind.ATS, 0);
    ByteBuffer expected = sent.slice(sent.position(), length);
    ByteBuffer replacement = sent.slice(sent.position() + length, length);
    unit.volume().compareAndWrite(cdb.lba() * BLOCK, expected, replacement, new Compared(task));
  }

  private record Compared(Task task) implements CompareCompletion {
    @Override
    public void written() {
      task.succeeded();
    }

    @Override
    public void miscompared(long mismatchOffset) {
      if (task.path().unit() instanceof VolumeUnit unit) {
        unit.ledger().add(task.nexus().initiator().name(), OffloadLedger.Kind.ATS_MISCOMPARE, 0);
      }
      task.fail(SenseData.miscompare(mismatchOffset));
    }

    @Override
    public void failed(StorageException failure) {
      task.failed(failure);
    }
  }

  /// An anchored block has space that nobody else can take (SBC-4 §4.7.4.7). If the unit's space is
  /// set aside, every block that is not stored is anchored, asked for or not; otherwise none is.
  private static boolean mayAnchor(Task task, VolumeUnit unit, boolean anchor) {
    if (anchor && unit.isThin()) {
      task.fail(SenseData.invalidCdb(1));
      return false;
    }
    return true;
  }

  private static boolean inRange(Task task, VolumeUnit unit, long lba, long blocks) {
    long capacity = unit.blocks();
    boolean in = lba <= capacity && blocks <= capacity - lba;
    if (!in) {
      task.fail(AdditionalSense.LOGICAL_BLOCK_ADDRESS_OUT_OF_RANGE);
    }
    return in;
  }

  private boolean inTransferLimit(Task task, long blocks) {
    boolean in = blocks <= limits.transferInBytes() / BLOCK;
    if (!in) {
      task.fail(AdditionalSense.INVALID_FIELD_IN_CDB);
    }
    return in;
  }
}

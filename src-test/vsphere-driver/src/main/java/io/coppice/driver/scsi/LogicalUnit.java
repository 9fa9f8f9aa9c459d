package io.coppice.driver.scsi;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// A logical unit behind a transport, with the commands a host sends to it.
///
/// Like a host, it repeats a command that meets a unit attention. Every method waits for the
/// command's end, throws [ScsiException] for a status other than GOOD and [TransportException] when
/// the transport failed. Safe for use by several threads.
public final class LogicalUnit {
  private static final int UNIT_ATTENTIONS = 8;
  private static final int ALLOCATION = 255;
  private static final int LARGE_ALLOCATION = 65535;

  private final ScsiTransport transport;
  private final Lun lun;

  public LogicalUnit(ScsiTransport transport, Lun lun) {
    this.transport = transport;
    this.lun = lun;
  }

  public Lun lun() {
    return lun;
  }

  public void testUnitReady() {
    none(Cdbs.testUnitReady());
  }

  public InquiryData inquiry() {
    return InquiryData.decode(reading(Cdbs.inquiry(ALLOCATION), ALLOCATION));
  }

  /// The bytes of a vital product data page.
  public ByteBuffer vpd(int page) {
    ByteBuffer data = reading(Cdbs.vpd(page, LARGE_ALLOCATION), LARGE_ALLOCATION);
    VpdPages.require(data, page);
    return data;
  }

  /// VPD page 83h.
  public List<Designator> designators() {
    return Designator.decodePage(vpd(0x83));
  }

  /// REPORT LUNS with the SELECT REPORT value `select`.
  public List<Lun> reportLuns(int select) {
    ByteBuffer data = reading(Cdbs.reportLuns(select, LARGE_ALLOCATION), LARGE_ALLOCATION);
    List<Lun> found = new ArrayList<>();
    for (int at = 8; at + 8 <= data.limit(); at += 8) {
      found.add(new Lun(data.getLong(at)));
    }
    if (data.limit() < 8 || data.getInt(0) != found.size() * 8) {
      throw new IllegalArgumentException(
          "REPORT LUNS announces %d bytes of numbers, got %d"
              .formatted(data.limit() < 4 ? -1 : data.getInt(0), found.size() * 8));
    }
    return List.copyOf(found);
  }

  public Capacity capacity() {
    return Capacity.decode(reading(Cdbs.readCapacity16(32), 32));
  }

  /// The state of the blocks from `lba` on, as far as the target describes them in one reply.
  public List<LbaStatus> lbaStatus(long lba) {
    return LbaStatus.decode(reading(Cdbs.getLbaStatus(lba, 4096), 4096));
  }

  /// READ(16); the result holds exactly `blocks` blocks of `blockBytes`.
  public ByteBuffer read(long lba, int blocks, int blockBytes) {
    int bytes = Math.multiplyExact(blocks, blockBytes);
    ByteBuffer data = reading(Cdbs.read16(lba, blocks), bytes);
    if (data.remaining() != bytes) {
      throw new IllegalStateException(
          "READ(16) to %s: expected %d bytes, got %d".formatted(lun, bytes, data.remaining()));
    }
    return data;
  }

  /// WRITE(16) of the remaining bytes of `data`.
  public void write(long lba, int blocks, ByteBuffer data) {
    writing(Cdbs.write16(lba, blocks), data);
  }

  /// WRITE SAME(16) of one block.
  public void writeSame(long lba, int blocks, ByteBuffer block) {
    writing(Cdbs.writeSame16(lba, blocks, false, false), block);
  }

  /// WRITE SAME(16) without data: the blocks read as zero afterwards.
  public void zero(long lba, int blocks, boolean unmap) {
    none(Cdbs.writeSame16(lba, blocks, unmap, true));
  }

  /// UNMAP of one range.
  public void unmap(long lba, int blocks) {
    unmap(lba, blocks, 0, 1);
  }

  /// UNMAP of `count` ranges of `blocks` each, whose beginnings are `distance` apart.
  public void unmap(long lba, int blocks, long distance, int count) {
    ByteBuffer list = ByteBuffer.allocate(8 + 16 * count);
    list.putShort((short) (6 + 16 * count)).putShort((short) (16 * count)).putInt(0);
    for (int i = 0; i < count; i++) {
      list.putLong(lba + i * distance).putInt(blocks).putInt(0);
    }
    list.flip();
    writing(Cdbs.unmap(list.remaining()), list);
  }

  /// COMPARE AND WRITE: whether the blocks were equal to `expected` and now hold `update`.
  public boolean compareAndWrite(long lba, int blocks, ByteBuffer expected, ByteBuffer update) {
    ByteBuffer both = ByteBuffer.allocate(expected.remaining() + update.remaining());
    both.put(expected.slice()).put(update.slice()).flip();
    ScsiRequest request = ScsiRequest.writing(lun, Cdbs.compareAndWrite(lba, blocks), both);
    ScsiResult result = execute(request);
    Sense sense = result.sense();
    if (sense != null && sense.key() == Sense.MISCOMPARE) {
      return false;
    }
    result.requireGood(request);
    return true;
  }

  /// EXTENDED COPY(LID1) of all `segments` in order; returns when the copy is done.
  public void extendedCopy(List<CopySegment> segments) {
    ByteBuffer list = CopySegment.parameterList(segments);
    writing(Cdbs.extendedCopy(list.remaining()), list);
  }

  /// POPULATE TOKEN of one range, and the token that it made.
  ///
  /// @param listId unlike that of any other copy under way in the session
  public CopyToken populateToken(int listId, long lba, int blocks) {
    ByteBuffer list = CopyToken.populateList(lba, blocks);
    writing(Cdbs.populateToken(listId, list.remaining()), list);
    int bytes = CopyToken.INFORMATION_BYTES;
    return CopyToken.decode(reading(Cdbs.receiveTokenInformation(listId, bytes), bytes));
  }

  /// WRITE USING TOKEN into one range; returns when the copy is done.
  ///
  /// @param listId as for [#populateToken]
  /// @param offset blocks of the token to skip
  public void writeUsingToken(int listId, CopyToken token, long offset, long lba, int blocks) {
    ByteBuffer list = token.writeList(offset, lba, blocks);
    writing(Cdbs.writeUsingToken(listId, list.remaining()), list);
  }

  /// SYNCHRONIZE CACHE(16) of the whole logical unit.
  public void synchronize() {
    none(Cdbs.synchronizeCache16(0, 0));
  }

  /// Sends any command, repeated on unit attentions; the result may have any status.
  public ScsiResult execute(ScsiRequest request) {
    ScsiResult result = transport.execute(request);
    for (int i = 0; i < UNIT_ATTENTIONS && result.unitAttention(); i++) {
      result = transport.execute(request);
    }
    return result;
  }

  /// Starts a READ(16) without waiting for its end; a unit attention is not repeated.
  public CompletableFuture<ScsiResult> startRead(long lba, int blocks, int blockBytes) {
    int bytes = Math.multiplyExact(blocks, blockBytes);
    return transport.submit(ScsiRequest.reading(lun, Cdbs.read16(lba, blocks), bytes));
  }

  /// Starts a WRITE(16) without waiting for its end; a unit attention is not repeated.
  public CompletableFuture<ScsiResult> startWrite(long lba, int blocks, ByteBuffer data) {
    return transport.submit(ScsiRequest.writing(lun, Cdbs.write16(lba, blocks), data));
  }

  /// Starts an EXTENDED COPY(LID1) without waiting for its end; a unit attention is not repeated.
  public CompletableFuture<ScsiResult> startExtendedCopy(List<CopySegment> segments) {
    ByteBuffer list = CopySegment.parameterList(segments);
    return transport.submit(ScsiRequest.writing(lun, Cdbs.extendedCopy(list.remaining()), list));
  }

  /// Takes all unit attentions that wait here, so that the next command meets none.
  public void clearAttentions() {
    execute(ScsiRequest.none(lun, Cdbs.testUnitReady()));
  }

  private void none(Cdb cdb) {
    ScsiRequest request = ScsiRequest.none(lun, cdb);
    execute(request).requireGood(request);
  }

  private void writing(Cdb cdb, ByteBuffer data) {
    ScsiRequest request = ScsiRequest.writing(lun, cdb, data);
    execute(request).requireGood(request);
  }

  private ByteBuffer reading(Cdb cdb, int bytes) {
    ScsiRequest request = ScsiRequest.reading(lun, cdb, bytes);
    return execute(request).requireGood(request).dataIn();
  }
}

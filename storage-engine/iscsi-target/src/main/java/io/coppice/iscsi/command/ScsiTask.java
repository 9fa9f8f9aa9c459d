package io.coppice.iscsi.command;

import io.coppice.iscsi.connection.Completions;
import io.coppice.iscsi.pdu.InitiatorPdu;
import io.coppice.scsi.transport.CommandCompletion;
import io.coppice.scsi.transport.DataInAllocator;
import io.coppice.scsi.transport.DataInRefusedException;
import io.coppice.scsi.transport.ScsiResponse;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/// One SCSI command between its arrival and its answer: its data and where it stands.
///
/// Belongs to the connection's event loop, but the device calls [#allocate] and [#complete] on any
/// thread. The loop sees what they set because [#complete] hands the task over.
public final class ScsiTask extends Completions.Node implements CommandCompletion, DataInAllocator {

  /// The progress of a command.
  public enum State {
    /// Its data or its turn has not come.
    COLLECTING,
    /// At the device.
    RUNNING,
    /// Taken out before it ran, or answered.
    ENDED
  }

  private static final ByteBuffer NO_DATA = ByteBuffer.allocateDirect(0);
  private static final AtomicReferenceFieldUpdater<ScsiTask, @Nullable ScsiResponse> RESPONSE =
      AtomicReferenceFieldUpdater.newUpdater(ScsiTask.class, ScsiResponse.class, "response");

  private static final Runnable NOTHING = () -> {};

  private final ScsiCommands owner;
  private final InitiatorPdu.ScsiCommand pdu;
  private final DataOutTransfer transfer;
  private final ByteBuf dataOut;

  private State state = State.COLLECTING;
  private boolean started;
  private boolean aborted;
  private boolean deferred;
  private @Nullable ByteBuf dataIn;
  private int dataInClaimed;
  private int seen = -1;
  private int stalledLooks;
  private volatile @Nullable ScsiResponse response;

  /// @param dataOut room for all the data that the command brings; empty if it brings none. Taken
  ///   over.
  ScsiTask(
      ScsiCommands owner, InitiatorPdu.ScsiCommand pdu, DataOutTransfer transfer, ByteBuf dataOut) {
    this.owner = owner;
    this.pdu = pdu;
    this.transfer = transfer;
    this.dataOut = dataOut;
  }

  public InitiatorPdu.ScsiCommand pdu() {
    return pdu;
  }

  DataOutTransfer transfer() {
    return transfer;
  }

  public State state() {
    return state;
  }

  public void state(State next) {
    state = next;
  }

  /// Whether its turn has come.
  boolean isStarted() {
    return started;
  }

  void start() {
    started = true;
  }

  /// Whether a task management function was asked to end it. If so, its own answer is not sent.
  boolean isAborted() {
    return aborted;
  }

  void aborted(boolean now) {
    aborted = now;
  }

  /// Whether it has left the command window, because its unit makes it wait.
  boolean isDeferred() {
    return deferred;
  }

  void deferredNow() {
    deferred = true;
  }

  ByteBuf dataOut() {
    return dataOut;
  }

  /// The data for the device.
  ByteBuffer dataOutView() {
    return dataOut.isReadable() ? dataOut.nioBuffer() : NO_DATA;
  }

  /// Looks whether data of it has come since the last look.
  ///
  /// @return whether that many looks in a row have found none
  boolean lookForData(int looks) {
    int now = dataOut.writerIndex();
    stalledLooks = now == seen ? stalledLooks + 1 : 0;
    seen = now;
    return stalledLooks >= looks;
  }

  @Nullable ScsiResponse response() {
    return response;
  }

  /// Answers without the device.
  void refuse(ScsiResponse refusal) {
    response = refusal;
  }

  @Override
  public ByteBuffer allocate(int length) {
    if (dataIn != null) {
      throw new IllegalStateException("a command may allocate its data-in once");
    }
    if (length == 0) {
      return NO_DATA.duplicate();
    }
    ByteBuf memory = owner.takeMemory(length);
    if (memory == null) {
      throw new DataInRefusedException(length);
    }
    dataIn = memory;
    dataInClaimed = length;
    return memory.nioBuffer(0, length);
  }

  @Override
  public void complete(ScsiResponse outcome) {
    if (RESPONSE.compareAndSet(this, null, outcome)) {
      owner.completed(this);
    }
  }

  @Override
  public void deferred() {
    owner.deferred(this);
  }

  @Override
  public void finish() {
    owner.finish(this);
  }

  /// The device's data for the initiator, at most `limit` bytes of it, not copied. The caller owns
  /// the result.
  ByteBuf takeDataIn(ByteBuffer data, int limit) {
    int length = Math.min(data.remaining(), limit);
    if (length == 0) {
      return Unpooled.EMPTY_BUFFER;
    }
    ByteBuf memory = dataIn;
    if (memory == null || memory.capacity() != data.capacity()) {
      // Not the buffer that we gave: the device has its own, which lives as long as it likes.
      return owner.alloc().directBuffer(length).writeBytes(data.slice(data.position(), length));
    }
    dataIn = null;
    dataInClaimed = 0;
    return memory.setIndex(data.position(), data.position() + length);
  }

  /// The claim on the memory that [#takeDataIn] will take. The caller runs it once, when that
  /// memory is free again. Ask for it first, since it needs memory itself. Until both are taken,
  /// [#release] gives both back.
  Runnable dataInClaim() {
    int claimed = dataInClaimed;
    return claimed == 0 ? NOTHING : () -> owner.giveBack(claimed);
  }

  /// Whether its claim on memory for data to the initiator is still its own to give back.
  boolean keepsDataInClaim() {
    return dataInClaimed > 0;
  }

  /// Gives all memory back.
  void release() {
    owner.giveBack(dataOut.capacity() + dataInClaimed);
    dataInClaimed = 0;
    dataOut.release();
    if (dataIn != null) {
      dataIn.release();
      dataIn = null;
    }
  }
}

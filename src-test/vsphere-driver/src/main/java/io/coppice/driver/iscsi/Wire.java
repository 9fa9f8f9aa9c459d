package io.coppice.driver.iscsi;

import io.coppice.driver.scsi.Lun;
import io.coppice.driver.scsi.TransportException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The two threads of a session and what is under way between them.
///
/// The outgoing queue is bounded by the command window: each command adds its own PDUs and those
/// its R2Ts ask for.
final class Wire {
  private final Connection connection;
  private final CommandWindow window;
  private final WireCounters counters;
  private final int maxSegment;
  private final BlockingQueue<Pdu> outgoing = new LinkedBlockingQueue<>();
  private final Map<Integer, ScsiTask> tasks = new ConcurrentHashMap<>();
  private final Map<Integer, CompletableFuture<Pdu>> exchanges = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable TransportException> failure = new AtomicReference<>();
  private volatile int expStatSn;
  private volatile @Nullable Thread sender;

  Wire(
      Connection connection,
      CommandWindow window,
      WireCounters counters,
      int expStatSn,
      int maxSegment) {
    this.connection = connection;
    this.window = window;
    this.counters = counters;
    this.expStatSn = expStatSn;
    this.maxSegment = maxSegment;
  }

  void start() {
    sender = Thread.ofPlatform().daemon().name("iscsi-send").start(this::sendLoop);
    Thread.ofPlatform().daemon().name("iscsi-receive").start(this::receiveLoop);
  }

  void send(ScsiTask task, int cmdSn) {
    tasks.put(task.tag(), task);
    counters.command();
    outgoing.addAll(task.start(cmdSn));
    failIfDown();
  }

  void send(Pdu request, CompletableFuture<Pdu> reply) {
    exchanges.put(request.tag(), reply);
    outgoing.add(request);
    failIfDown();
  }

  // The session may fail while this is being queued, even by the answer to it.
  private void failIfDown() {
    TransportException cause = failure.get();
    if (cause != null) {
      failPending(cause);
    }
  }

  /// Fails what a completed task management function has ended.
  void ended(TaskFunction function, Lun lun, IscsiSession.@Nullable Outstanding task) {
    TransportException cause = new TransportException("ended by " + function);
    for (ScsiTask each : List.copyOf(tasks.values())) {
      boolean hit =
          switch (function) {
            case ABORT_TASK -> task != null && each.tag() == task.tag();
            case ABORT_TASK_SET, CLEAR_TASK_SET, LOGICAL_UNIT_RESET ->
                each.request().lun().equals(lun);
            case CLEAR_ACA -> false;
            case TARGET_WARM_RESET, TARGET_COLD_RESET -> true;
          };
      if (hit && tasks.remove(each.tag()) != null) {
        each.result().completeExceptionally(cause);
      }
    }
  }

  /// Ends the session; everything under way fails with `cause`. Only the first call counts.
  void fail(Throwable cause) {
    TransportException reason =
        cause instanceof TransportException known
            ? known
            : new TransportException("the iSCSI connection failed: " + cause.getMessage(), cause);
    if (!failure.compareAndSet(null, reason)) {
      return;
    }
    window.fail(cause);
    connection.close();
    Thread thread = sender;
    if (thread != null) {
      thread.interrupt();
    }
    failPending(reason);
  }

  private void failPending(TransportException cause) {
    for (Integer tag : List.copyOf(tasks.keySet())) {
      ScsiTask task = tasks.remove(tag);
      if (task != null) {
        task.result().completeExceptionally(cause);
      }
    }
    for (Integer tag : List.copyOf(exchanges.keySet())) {
      CompletableFuture<Pdu> exchange = exchanges.remove(tag);
      if (exchange != null) {
        exchange.completeExceptionally(cause);
      }
    }
  }

  private void sendLoop() {
    try {
      while (failure.get() == null) {
        Pdu pdu = outgoing.take();
        connection.write(pdu.word(28, expStatSn));
        if (pdu.opcode() == Opcode.DATA_OUT || pdu.opcode() == Opcode.SCSI_COMMAND) {
          counters.sent(pdu.dataLength());
        }
      }
    } catch (InterruptedException e) {
      // Only fail() interrupts this thread, and it has notified everyone.
      return;
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  private void receiveLoop() {
    try {
      while (failure.get() == null) {
        receive(connection.read(this::place));
      }
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  private ByteBuffer place(Pdu pdu) {
    if (pdu.dataLength() > maxSegment) {
      throw new IscsiProtocolException(
          "expected a data segment of at most %d bytes, got %s".formatted(maxSegment, pdu));
    }
    return pdu.opcode() == Opcode.DATA_IN
        ? task(pdu).place(pdu)
        : ByteBuffer.allocate(pdu.dataLength());
  }

  private void receive(Pdu pdu) {
    countStatus(pdu);
    window.update(pdu.wordAt(32));
    switch (pdu.opcode()) {
      case Opcode.DATA_IN -> {
        counters.received(pdu.dataLength());
        if (task(pdu).arrived(pdu)) {
          tasks.remove(pdu.tag());
        }
      }
      case Opcode.SCSI_RESPONSE -> {
        task(pdu).respond(pdu);
        tasks.remove(pdu.tag());
      }
      case Opcode.R2T -> outgoing.addAll(task(pdu).transfer(pdu));
      case Opcode.NOP_IN -> nopIn(pdu);
      case Opcode.TASK_MANAGEMENT_RESPONSE, Opcode.TEXT_RESPONSE, Opcode.LOGOUT_RESPONSE ->
          answer(pdu);
      case Opcode.ASYNC -> async(pdu);
      case Opcode.REJECT -> reject(pdu);
      default -> throw new IscsiProtocolException("expected a target's PDU, got " + pdu);
    }
  }

  /// Checks StatSN where the PDU carries a status, RFC 7143 §4.2.2.2.
  private void countStatus(Pdu pdu) {
    boolean dataWithStatus = pdu.opcode() == Opcode.DATA_IN && (pdu.flags() & 0x01) != 0;
    boolean unsolicitedNop = pdu.opcode() == Opcode.NOP_IN && pdu.tag() == Opcode.NO_TAG;
    boolean none =
        pdu.opcode() == Opcode.R2T
            || unsolicitedNop
            || pdu.opcode() == Opcode.DATA_IN && !dataWithStatus;
    if (none) {
      return;
    }
    int expected = expStatSn;
    if (pdu.wordAt(24) != expected) {
      throw new IscsiProtocolException(
          "expected StatSN %d, got %d in %s".formatted(expected, pdu.wordAt(24), pdu));
    }
    // Only the receiving thread writes it; the sender reads it for the next PDU.
    expStatSn = expected + 1;
  }

  private ScsiTask task(Pdu pdu) {
    ScsiTask task = tasks.get(pdu.tag());
    if (task == null) {
      throw new IscsiProtocolException("expected the tag of a command under way, got " + pdu);
    }
    return task;
  }

  private void nopIn(Pdu pdu) {
    if (pdu.tag() != Opcode.NO_TAG) {
      answer(pdu);
    } else if (pdu.wordAt(20) != Opcode.NO_TAG) {
      Pdu echo =
          Pdu.of(Opcode.NOP_OUT | Opcode.IMMEDIATE, Opcode.FINAL)
              .lun(pdu.longAt(8))
              .tag(Opcode.NO_TAG)
              .word(20, pdu.wordAt(20))
              .data(pdu.data());
      window.immediate(cmdSn -> outgoing.add(echo.word(24, cmdSn)));
    }
  }

  private void answer(Pdu pdu) {
    CompletableFuture<Pdu> exchange = exchanges.remove(pdu.tag());
    if (exchange == null) {
      throw new IscsiProtocolException("expected the tag of a request under way, got " + pdu);
    }
    exchange.complete(pdu);
  }

  private void async(Pdu pdu) {
    int event = pdu.byteAt(36);
    if (event == 1 || event == 2 || event == 3) {
      fail(new TransportException("the target asked to end the session, event " + event));
    }
  }

  private void reject(Pdu pdu) {
    int tag = pdu.data().remaining() >= 20 ? pdu.data().getInt(16) : Opcode.NO_TAG;
    TransportException cause =
        new TransportException("the target rejected a PDU, reason %02Xh".formatted(pdu.byteAt(2)));
    ScsiTask task = tasks.remove(tag);
    CompletableFuture<Pdu> exchange = exchanges.remove(tag);
    if (task != null) {
      task.result().completeExceptionally(cause);
    } else if (exchange != null) {
      exchange.completeExceptionally(cause);
    } else {
      fail(cause);
    }
  }
}

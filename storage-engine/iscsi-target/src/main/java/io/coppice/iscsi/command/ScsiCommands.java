package io.coppice.iscsi.command;

import io.coppice.iscsi.connection.CommandWindow;
import io.coppice.iscsi.connection.Connection;
import io.coppice.iscsi.connection.DataMemory;
import io.coppice.iscsi.connection.IscsiCounters;
import io.coppice.iscsi.connection.OutputWatch;
import io.coppice.iscsi.connection.PeerFault;
import io.coppice.iscsi.login.SessionParameters;
import io.coppice.iscsi.pdu.Bhs;
import io.coppice.iscsi.pdu.InitiatorPdu;
import io.coppice.iscsi.pdu.SerialNumber;
import io.coppice.iscsi.pdu.TargetPdu;
import io.coppice.iscsi.pdu.TargetPdu.Reject;
import io.coppice.iscsi.setting.IscsiLimits;
import io.coppice.scsi.transport.DataInRefusedException;
import io.coppice.scsi.transport.LogicalUnitNumber;
import io.coppice.scsi.transport.Nexus;
import io.coppice.scsi.transport.ScsiCommand;
import io.coppice.scsi.transport.ScsiResponse;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.transport.TargetDevice;
import io.coppice.scsi.transport.TaskAttribute;
import io.coppice.scsi.transport.TaskManagement;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The SCSI commands of one session. It collects their data, hands them to the device in CmdSN
/// order and sends what comes back. Belongs to the connection's event loop.
public final class ScsiCommands {

  /// Commands beyond the window that may come marked immediate.
  private static final int IMMEDIATE_MAX = 16;

  /// Windows of commands that may be deferred at once; others keep their places.
  private static final int DEFERRED_WINDOWS = 8;

  /// Commands in a row, each the only one under way, after which the event loop lends itself. An
  /// initiator with a deeper queue also sends one command first when all of its commands have ended
  /// at once. Its other commands should be read meanwhile.
  private static final int LEND_AFTER = 16;

  private final Connection connection;
  private final IscsiLimits.CommandLimits limits;
  private final IscsiCounters counters;
  private final CommandWindow window;
  private final SessionParameters parameters;
  private final TargetDevice device;
  private final Nexus nexus;
  private final DataInTransfer dataIn;
  // Shared by all commands that bring nothing: it never changes.
  private final DataOutTransfer noDataOut;
  private final DataMemory memory;
  private final IntObjectMap<ScsiTask> tasks = new IntObjectHashMap<>();

  private int serial;
  private boolean closed;
  private int deferred;
  private int alone;
  // The task of the PDU that is being read.
  private @Nullable ScsiTask arriving;
  private int refusal;

  public ScsiCommands(
      Connection connection,
      IscsiLimits.CommandLimits limits,
      IscsiCounters counters,
      CommandWindow window,
      SessionParameters parameters,
      TargetDevice device,
      Nexus nexus,
      DataMemory memory) {
    this.connection = connection;
    this.limits = limits;
    this.counters = counters;
    this.window = window;
    this.parameters = parameters;
    this.device = device;
    this.nexus = nexus;
    this.memory = memory;
    this.noDataOut = new DataOutTransfer(parameters, 0, 0);
    this.dataIn = new DataInTransfer(connection.writer(), parameters, counters);
  }

  ByteBufAllocator alloc() {
    return connection.alloc();
  }

  /// A command's header has come.
  ///
  /// @return where its immediate data goes; null to drop it
  @Nullable
  public ByteBuf begin(InitiatorPdu.ScsiCommand pdu, int dataLength) {
    arriving = null;
    refusal = refusalOf(pdu, dataLength);
    if (refusal != 0) {
      return null;
    }
    ScsiTask task = newTask(pdu);
    arriving = task;
    if (task.response() != null) {
      return null;
    }
    task.transfer().begin(dataLength, pdu.last());
    return task.dataOut();
  }

  /// A command is complete, with its immediate data.
  ///
  /// @return the task to start when its turn comes; null if the PDU was rejected
  @Nullable
  public ScsiTask end(InitiatorPdu.ScsiCommand pdu) {
    ScsiTask task = arriving;
    if (task == null) {
      connection.reject(refusal);
      return null;
    }
    tasks.put(pdu.initiatorTaskTag(), task);
    arriving = null; // not before: until then its memory is given back by what it says
    return task;
  }

  /// The turn of a command has come.
  public void start(ScsiTask task) {
    if (task.state() == ScsiTask.State.ENDED) {
      window.ended();
      return;
    }
    task.start();
    if (task.response() != null) {
      finish(task);
    } else {
      proceed(task);
    }
  }

  /// The header of a Data-Out has come.
  ///
  /// @return where its data goes; null to drop it
  @Nullable
  public ByteBuf beginDataOut(InitiatorPdu.DataOut pdu, int dataLength) {
    ScsiTask task = tasks.get(pdu.initiatorTaskTag());
    if (task == null || task.state() != ScsiTask.State.COLLECTING || task.response() != null) {
      counters.count(PeerFault.DATA_OUT_UNKNOWN);
      return null;
    }
    if (!task.transfer().accepts(pdu, dataLength)) {
      breakOff(task);
      return null;
    }
    arriving = task;
    return task.dataOut();
  }

  public void endDataOut(InitiatorPdu.DataOut pdu, int dataLength) {
    ScsiTask task = arriving;
    arriving = null;
    if (task != null) {
      task.transfer().advance(pdu, dataLength);
      if (task.isStarted()) {
        proceed(task);
      }
    }
  }

  /// Ends a command whose data does not follow. Asking for the data again would need an error
  /// recovery level of 1 (RFC 7143 §7.7, §7.8). The rest of the data is dropped as it comes.
  private void breakOff(ScsiTask task) {
    counters.count(PeerFault.DATA_OUT_SEQUENCE);
    task.refuse(ScsiResponse.checkCondition(TransportSense.protocolServiceCrcError()));
    if (task.isStarted()) {
      finish(task);
    }
  }

  /// Ends the commands whose data has stalled for as many looks as fit into the time that an
  /// initiator has for it. The rest of the data is dropped if it comes.
  public void endThoseWithoutData() {
    List<ScsiTask> ended = new ArrayList<>();
    for (ScsiTask task : tasks.values()) {
      if (task.isStarted()
          && task.state() == ScsiTask.State.COLLECTING
          && task.lookForData(OutputWatch.LOOKS)) {
        ended.add(task);
      }
    }
    for (ScsiTask task : ended) {
      counters.count(PeerFault.DATA_OUT_TIMEOUT);
      if (arriving == task) {
        arriving = null;
        connection.reader().dropData();
      }
      task.refuse(ScsiResponse.checkCondition(TransportSense.incorrectAmountOfData()));
      finish(task);
    }
  }

  /// Withholds the answers of commands at the device, or no longer does.
  public void markAborted(Predicate<ScsiTask> which, boolean aborted) {
    for (ScsiTask task : tasks.values()) {
      if (which.test(task)) {
        task.aborted(aborted);
      }
    }
  }

  /// Ends the commands that the device has not seen yet.
  public void dropCollecting(Predicate<ScsiTask> which) {
    List<ScsiTask> dropped = new ArrayList<>();
    for (ScsiTask task : tasks.values()) {
      if (task.state() == ScsiTask.State.COLLECTING && which.test(task)) {
        dropped.add(task);
      }
    }
    dropped.forEach(this::dropCollecting);
  }

  /// A command by its tag; null if there is none.
  @Nullable
  public ScsiTask find(int initiatorTaskTag) {
    return tasks.get(initiatorTaskTag);
  }

  /// The connection is gone. Memory of commands at the device is given back when they complete.
  public void close() {
    closed = true;
    ScsiTask half = arriving;
    if (half != null && tasks.get(half.pdu().initiatorTaskTag()) != half) {
      half.release();
    }
    arriving = null;
    dropCollecting(task -> true);
  }

  /// Ends all commands of the nexus at the device, as they came from here.
  ///
  /// @param done called on any thread when none of them can touch a volume any more
  public void endAtDevice(Runnable done) {
    Set<Long> luns = new HashSet<>();
    for (ScsiTask task : tasks.values()) {
      luns.add(task.pdu().lun());
    }
    AtomicInteger left = new AtomicInteger(luns.size() + 1);
    Runnable ended =
        () -> {
          if (left.decrementAndGet() == 0) {
            done.run();
          }
        };
    for (long lun : luns) {
      device.manage(
          nexus, new TaskManagement.AbortTaskSet(new LogicalUnitNumber(lun)), _ -> ended.run());
    }
    ended.run();
  }

  /// The device is done with a task. Any thread.
  void completed(ScsiTask task) {
    connection.complete(task);
  }

  /// A task waits at its unit: others get its place in the window. Any thread.
  void deferred(ScsiTask task) {
    if (connection.executor().inEventLoop()) {
      giveUpPlace(task);
    } else {
      connection.run(
          () -> {
            giveUpPlace(task);
            connection.flush();
          });
    }
  }

  private void giveUpPlace(ScsiTask task) {
    int size = limits.window();
    if (closed
        || task.state() != ScsiTask.State.RUNNING
        || task.pdu().immediate()
        || deferred >= DEFERRED_WINDOWS * size) {
      return;
    }
    task.deferredNow();
    deferred++;
    window.ended();
    // The initiator learns of the place with the next PDU, and an answer may be far off.
    int known = connection.writer().placesKnown();
    if (known <= 0 || known <= size / 2 && connection.writer().placesUntold() >= size / 8) {
      connection.writer().write(new TargetPdu.NopIn(0, Bhs.NO_TAG, Bhs.NO_TAG));
    }
  }

  /// Sends the answer of a task and forgets it.
  void finish(ScsiTask task) {
    ScsiResponse response = task.response();
    if (task.state() == ScsiTask.State.ENDED || response == null) {
      return;
    }
    forget(task);
    try {
      // An aborted command is not answered: its task management response stands for it.
      if (!closed && !task.isAborted() && response.status() != ScsiStatus.TASK_ABORTED) {
        dataIn.send(task, response);
      }
    } finally {
      task.release();
    }
  }

  private int refusalOf(InitiatorPdu.ScsiCommand pdu, int dataLength) {
    if (pdu.initiatorTaskTag() == Bhs.NO_TAG) {
      return Reject.INVALID_PDU_FIELD;
    }
    if (tasks.containsKey(pdu.initiatorTaskTag())) {
      return Reject.TASK_IN_PROGRESS;
    }
    if (tasks.size() - deferred >= limits.window() + IMMEDIATE_MAX) {
      return Reject.TOO_MANY_IMMEDIATE_COMMANDS;
    }
    boolean immediateFits =
        pdu.write()
            && parameters.immediateData()
            && dataLength <= parameters.firstBurstLength()
            && dataLength <= Integer.toUnsignedLong(pdu.expectedLength());
    return dataLength == 0 || immediateFits ? 0 : Reject.PROTOCOL_ERROR;
  }

  private ScsiTask newTask(InitiatorPdu.ScsiCommand pdu) {
    long length = pdu.write() ? Integer.toUnsignedLong(pdu.expectedLength()) : 0;
    ScsiResponse refused = null;
    ByteBuf dataOut = Unpooled.EMPTY_BUFFER;
    if ((pdu.read() && pdu.write()) || length > limits.transferLength()) {
      refused = ScsiResponse.checkCondition(TransportSense.invalidFieldInCdb());
    } else if (length > 0) {
      ByteBuf taken = takeMemory((int) length);
      refused = taken == null ? ScsiResponse.of(ScsiStatus.TASK_SET_FULL) : null;
      dataOut = taken == null ? dataOut : taken;
    }
    ScsiTask task = taskWith(pdu, dataOut);
    if (refused != null) {
      task.refuse(refused);
    }
    return task;
  }

  /// @param dataOut taken over
  private ScsiTask taskWith(InitiatorPdu.ScsiCommand pdu, ByteBuf dataOut) {
    serial = serial + 1 & Integer.MAX_VALUE;
    int held = dataOut.capacity();
    try {
      DataOutTransfer transfer =
          held == 0 ? noDataOut : new DataOutTransfer(parameters, held, serial);
      return new ScsiTask(this, pdu, transfer, dataOut);
    } catch (RuntimeException | Error e) {
      giveBack(held);
      dataOut.release();
      throw e;
    }
  }

  /// Memory for data, claimed from the session's share. Any thread.
  ///
  /// @return null if there is none now
  @Nullable ByteBuf takeMemory(int length) {
    return connection.allocate(memory, length);
  }

  /// The end of a claim of [#takeMemory]. Any thread.
  void giveBack(int length) {
    memory.giveBack(length);
  }

  private void proceed(ScsiTask task) {
    if (task.transfer().isComplete()) {
      run(task);
      return;
    }
    TargetPdu.ReadyToTransfer r2t = task.transfer().nextR2t(task.pdu());
    while (r2t != null) {
      connection.writer().write(r2t);
      r2t = task.transfer().nextR2t(task.pdu());
    }
  }

  private void run(ScsiTask task) {
    InitiatorPdu.ScsiCommand pdu = task.pdu();
    task.state(ScsiTask.State.RUNNING);
    alone = tasks.size() == 1 ? Math.min(alone + 1, LEND_AFTER) : 0;
    boolean lends = alone == LEND_AFTER && connection.mates().lend();
    long start = lends ? connection.mates().now() : 0;
    try {
      device.execute(
          new ScsiCommand(
              nexus,
              new LogicalUnitNumber(pdu.lun()),
              Integer.toUnsignedLong(pdu.initiatorTaskTag()),
              attributeOf(pdu),
              pdu.cdb(),
              task.dataOutView(),
              task,
              task,
              lends));
    } catch (DataInRefusedException e) {
      task.complete(ScsiResponse.of(ScsiStatus.TASK_SET_FULL));
    } catch (RuntimeException | Error e) {
      // The device promises never to throw; if it does, this command must still end.
      counters.count(PeerFault.INTERNAL);
      task.complete(ScsiResponse.checkCondition(TransportSense.internalFailure()));
    } finally {
      if (lends) {
        connection.mates().lentSince(start);
      }
    }
  }

  private void dropCollecting(ScsiTask task) {
    // Before its turn its place in the window is freed when the turn comes, in start.
    boolean turnCame = task.isStarted();
    tasks.remove(task.pdu().initiatorTaskTag());
    task.state(ScsiTask.State.ENDED);
    if (turnCame && !task.pdu().immediate()) {
      window.ended();
    }
    task.release();
  }

  private void forget(ScsiTask task) {
    task.state(ScsiTask.State.ENDED);
    tasks.remove(task.pdu().initiatorTaskTag());
    if (task.isDeferred()) {
      deferred--;
    } else if (!task.pdu().immediate()) {
      window.ended();
    }
  }

  /// Whether a task management request names a command that this session has sent before it.
  public boolean hasPassed(InitiatorPdu.TaskManagement pdu) {
    return SerialNumber.before(pdu.refCmdSn(), window.expCmdSn());
  }

  private static TaskAttribute attributeOf(InitiatorPdu.ScsiCommand pdu) {
    return switch (pdu.attribute()) {
      case 1 -> TaskAttribute.SIMPLE;
      case 2 -> TaskAttribute.ORDERED;
      case 3 -> TaskAttribute.HEAD_OF_QUEUE;
      case 4 -> TaskAttribute.ACA;
      default -> TaskAttribute.UNTAGGED;
    };
  }
}

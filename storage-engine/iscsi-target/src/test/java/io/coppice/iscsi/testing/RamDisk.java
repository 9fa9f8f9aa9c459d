package io.coppice.iscsi.testing;

import io.coppice.scsi.transport.DataInRefusedException;
import io.coppice.scsi.transport.InitiatorPort;
import io.coppice.scsi.transport.Nexus;
import io.coppice.scsi.transport.ScsiCommand;
import io.coppice.scsi.transport.ScsiResponse;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.transport.SessionOrigin;
import io.coppice.scsi.transport.TargetDevice;
import io.coppice.scsi.transport.TaskManagement;
import io.coppice.scsi.transport.TaskManagementOutcome;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A device with one logical unit in memory, that knows a dozen commands. Commands run on the given
/// executor; [#hold] keeps them back until [#release].
public final class RamDisk implements TargetDevice {

  public static final int BLOCK = 512;

  /// Its identity is that of the object, as [Nexus] says.
  private static final class Relation implements Nexus {
    private final InitiatorPort initiator;
    private final String target;

    Relation(InitiatorPort initiator, String target) {
      this.initiator = initiator;
      this.target = target;
    }

    @Override
    public InitiatorPort initiator() {
      return initiator;
    }

    @Override
    public String target() {
      return target;
    }
  }

  private final String name;
  private final Set<String> admitted;
  private final ByteBuffer blocks;
  private final Executor executor;
  private final List<ScsiCommand> held = new ArrayList<>();
  private final List<Runnable> heldDetaches = new ArrayList<>();
  private final Map<Nexus, Integer> running = new HashMap<>();
  private final Map<Nexus, Runnable> leaving = new HashMap<>();
  private boolean holding;
  private boolean deferring;
  private boolean holdingDetaches;
  private boolean finishing;
  private boolean recording = true;
  private volatile @Nullable String stopped;

  public final List<ScsiCommand> executed = new CopyOnWriteArrayList<>();
  public final List<TaskManagement> managed = new CopyOnWriteArrayList<>();
  public final List<Nexus> attached = new CopyOnWriteArrayList<>();
  public final List<Nexus> detached = new CopyOnWriteArrayList<>();

  /// @param admitted initiator names; empty for all
  public RamDisk(String name, int size, Set<String> admitted, Executor executor) {
    this.name = name;
    this.blocks = ByteBuffer.allocateDirect(size);
    this.admitted = admitted;
    this.executor = executor;
  }

  public RamDisk(String name, int size) {
    this(name, size, Set.of(), Runnable::run);
  }

  /// The disk's content.
  public ByteBuffer content() {
    return blocks.duplicate();
  }

  public synchronized void hold() {
    holding = true;
  }

  /// As [#hold], as a unit does that has had as much as it may have.
  public synchronized void defer() {
    holding = true;
    deferring = true;
  }

  public synchronized void holdDetaches() {
    holdingDetaches = true;
  }

  public synchronized int detachesHeld() {
    return heldDetaches.size();
  }

  /// For measurements: the list of commands costs more than the commands.
  public void recordNothing() {
    recording = false;
  }

  /// Task management then waits for commands instead of ending them.
  public synchronized void finishInsteadOfTakingOut() {
    finishing = true;
  }

  public void release() {
    List<Runnable> now = new ArrayList<>();
    synchronized (this) {
      holding = false;
      deferring = false;
      held.forEach(it -> now.add(() -> answer(it)));
      held.clear();
    }
    now.forEach(Runnable::run);
  }

  public void releaseDetaches() {
    List<Runnable> now;
    synchronized (this) {
      holdingDetaches = false;
      now = List.copyOf(heldDetaches);
      heldDetaches.clear();
    }
    now.forEach(Runnable::run);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean admits(String initiatorName) {
    return admitted.isEmpty() || admitted.contains(initiatorName);
  }

  @Override
  public Optional<String> outOfService() {
    return Optional.ofNullable(stopped);
  }

  /// Serves nothing from now on.
  public void stop(String reason) {
    stopped = reason;
  }

  @Override
  public Nexus attach(InitiatorPort initiator, SessionOrigin origin) {
    Nexus nexus = new Relation(initiator, name);
    attached.add(nexus);
    return nexus;
  }

  @Override
  public void detach(Nexus nexus, Runnable done) {
    takeOut(it -> it.nexus().equals(nexus));
    Runnable leave =
        () -> {
          detached.add(nexus);
          done.run();
        };
    synchronized (this) {
      if (holdingDetaches) {
        heldDetaches.add(leave);
        return;
      }
      if (running.containsKey(nexus)) {
        leaving.put(nexus, leave);
        return;
      }
    }
    leave.run();
  }

  @Override
  public void execute(ScsiCommand command) {
    if (recording) {
      executed.add(command);
    }
    synchronized (this) {
      if (holding) {
        held.add(command);
        if (deferring) {
          command.completion().deferred();
        }
        return;
      }
      running.merge(command.nexus(), 1, Integer::sum);
    }
    executor.execute(() -> run(command));
  }

  private void run(ScsiCommand command) {
    answer(command);
    Runnable leave;
    synchronized (this) {
      boolean more = running.merge(command.nexus(), -1, Integer::sum) > 0;
      if (!more) {
        running.remove(command.nexus());
      }
      leave = more ? null : leaving.remove(command.nexus());
    }
    if (leave != null) {
      leave.run();
    }
  }

  @Override
  public void manage(Nexus nexus, TaskManagement function, Consumer<TaskManagementOutcome> done) {
    managed.add(function);
    if (function instanceof TaskManagement.AbortTask abort) {
      takeOut(it -> it.nexus().equals(nexus) && it.tag() == abort.tag());
    } else {
      takeOut(it -> it.nexus().equals(nexus));
    }
    done.accept(TaskManagementOutcome.FUNCTION_COMPLETE);
  }

  private void takeOut(Predicate<ScsiCommand> which) {
    List<ScsiCommand> out = new ArrayList<>();
    synchronized (this) {
      held.removeIf(it -> which.test(it) && out.add(it));
    }
    out.forEach(
        it ->
            it.completion()
                .complete(finishing ? respond(it) : ScsiResponse.of(ScsiStatus.TASK_ABORTED)));
  }

  private void answer(ScsiCommand command) {
    ScsiResponse response;
    try {
      response = respond(command);
    } catch (DataInRefusedException e) {
      response = ScsiResponse.of(ScsiStatus.TASK_SET_FULL);
    }
    command.completion().complete(response);
  }

  private ScsiResponse respond(ScsiCommand command) {
    ByteBuffer cdb = command.cdb();
    return switch (Byte.toUnsignedInt(cdb.get(0))) {
      case 0x00, 0x35, 0x91 -> ScsiResponse.good(0);
      case 0x12 -> inquiry(command);
      case 0x1a -> data(command, new byte[] {3, 0, 0, 0}, cdb.get(4) & 0xff);
      case 0x25 -> {
        byte[] bytes = new byte[8];
        ByteBuffer.wrap(bytes).putInt(blocks.capacity() / BLOCK - 1).putInt(BLOCK);
        yield data(command, bytes, 8);
      }
      case 0x9e -> {
        byte[] bytes = new byte[32];
        ByteBuffer.wrap(bytes).putLong(blocks.capacity() / BLOCK - 1L).putInt(BLOCK);
        yield data(command, bytes, cdb.getInt(10));
      }
      case 0xa0 -> {
        byte[] bytes = new byte[16];
        bytes[3] = 8;
        yield data(command, bytes, cdb.getInt(6));
      }
      case 0x28 -> read(command, cdb.getInt(2), Short.toUnsignedInt(cdb.getShort(7)));
      case 0x88 -> read(command, (int) cdb.getLong(2), cdb.getInt(10));
      case 0x2a -> write(command, cdb.getInt(2), Short.toUnsignedInt(cdb.getShort(7)));
      case 0x8a -> write(command, (int) cdb.getLong(2), cdb.getInt(10));
      default -> illegal(0x20);
    };
  }

  private static ScsiResponse inquiry(ScsiCommand command) {
    ByteBuffer cdb = command.cdb();
    byte[] bytes = new byte[96];
    int length = Short.toUnsignedInt(cdb.getShort(3));
    if ((cdb.get(1) & 1) != 0) {
      return switch (cdb.get(2)) {
        case 0 -> data(command, new byte[] {0, 0, 0, 2, 0, (byte) 0x83}, length);
        case (byte) 0x83 -> data(command, new byte[] {0, (byte) 0x83, 0, 0}, length);
        default -> illegal(0x24);
      };
    }
    bytes[2] = 6;
    bytes[3] = 2;
    bytes[4] = 91;
    bytes[7] = 2;
    byte[] text = "COPPICE RAM DISK        0001".getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(text, 0, bytes, 8, text.length);
    return data(command, bytes, length);
  }

  private static ScsiResponse data(ScsiCommand command, byte[] bytes, int allocation) {
    int length = Math.min(bytes.length, allocation);
    ByteBuffer out = command.dataIn().allocate(length);
    return ScsiResponse.good(out.put(0, bytes, 0, length));
  }

  private ScsiResponse read(ScsiCommand command, int lba, int count) {
    if (lba < 0 || count < 0 || (lba + (long) count) * BLOCK > blocks.capacity()) {
      return illegal(0x21);
    }
    ByteBuffer out = command.dataIn().allocate(count * BLOCK);
    return ScsiResponse.good(out.put(0, blocks, lba * BLOCK, count * BLOCK));
  }

  private ScsiResponse write(ScsiCommand command, int lba, int count) {
    if (lba < 0 || count < 0 || (lba + (long) count) * BLOCK > blocks.capacity()) {
      return illegal(0x21);
    }
    int length = Math.min(command.dataOut().remaining(), count * BLOCK);
    blocks.put(lba * BLOCK, command.dataOut(), command.dataOut().position(), length);
    return ScsiResponse.good((long) count * BLOCK);
  }

  private static ScsiResponse illegal(int code) {
    ByteBuffer sense = ByteBuffer.allocate(18);
    sense.put(0, (byte) 0x70).put(2, (byte) 5).put(7, (byte) 10).put(12, (byte) code);
    return ScsiResponse.checkCondition(sense);
  }
}

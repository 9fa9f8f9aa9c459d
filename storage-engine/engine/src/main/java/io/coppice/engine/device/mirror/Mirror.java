package io.coppice.engine.device.mirror;

import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.BlockVerifier;
import io.coppice.engine.device.DeviceCalls;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.Medium;
import io.coppice.engine.device.ReadQueue;
import io.coppice.engine.device.mirror.MirrorMember.Held;
import io.coppice.engine.device.mirror.MirrorMember.State;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Two devices that hold the same. A write goes to both at the same time and is stable when it is
/// stable on both. A read comes from either. A reader that can tell that the data is wrong asks for
/// the other copy ([#copies]).
///
/// A device that fails a write or a sync is left out from then on: it is unknown what is stable
/// there. Before that write succeeds, the [Keeper] makes durably known, on the other device, that
/// this one is behind. When the last device fails, or that cannot be made known, the write has
/// failed, and so does every later one.
///
/// A device that was left out, or is new, can be *filled*: it gets all writes from [#fill] on, and
/// [#copy] brings the rest. Until it holds everything it may have data that the other one has lost.
/// A reader that knows the right bytes may look there ([#reserves]).
public final class Mirror implements BlockDevice {

  /// Bytes that one device serves before the other one's turn, for reads one at a time.
  private static final long STRIPE = 1 << 20;

  private static final List<String> NAMES =
      List.of(" on the first device", " on the second device");

  private final MirrorMember[] members = {new MirrorMember(0), new MirrorMember(1)};
  private final DeviceCalls calls = new DeviceCalls();
  private final WriteRanges ranges = new WriteRanges();
  private final List<BlockDevice> leftOut = new ArrayList<>(); // guarded by this
  private final long size;
  private volatile @Nullable DeviceException failure;
  private volatile Keeper keeper =
      (member, reason) -> {
        throw reason;
      };

  /// The durable record of which devices hold everything.
  public interface Keeper {

    /// Notes that a device is about to be left out. On return it is stable on the other one that
    /// this one does not hold everything from now on. May be called again for the same one.
    ///
    /// @param member 0 or 1
    /// @throws DeviceException if that is not certain, or no other one has everything
    void leftOut(int member, DeviceException reason);
  }

  /// @param first and `second`: the devices that hold everything; not both null
  public Mirror(@Nullable BlockDevice first, @Nullable BlockDevice second) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < members.length; i++) {
      BlockDevice device = i == 0 ? first : second;
      if (device != null) {
        members[i].held = new Held(State.WHOLE, device);
        least = Math.min(least, device.sizeInBytes());
      }
    }
    if (least == Long.MAX_VALUE) {
      throw new IllegalArgumentException("expected at least one device of a mirror, got none");
    }
    size = least;
  }

  /// Sets the keeper from now on; until then a failing device fails everything.
  public void keptBy(Keeper now) {
    keeper = now;
  }

  /// Sets the longest wait for one of two devices. One that answers later is left out as failed;
  /// its later work is no matter of the pool. Until this is called each is waited for.
  public void answerWithin(Duration deadline) {
    calls.answerWithin(deadline);
  }

  @Override
  public long sizeInBytes() {
    return size;
  }

  // ---- reads

  @Override
  public void read(long offset, ByteBuffer into) {
    int turn = (int) (offset / STRIPE % 2);
    MirrorMember member = members[turn];
    BlockDevice device = member.whole();
    for (int look = 1; device == null && look <= 2; look++) {
      member = members[(turn + look) % 2]; // between two looks it may be filled, the other left out
      device = member.whole();
    }
    if (device == null) {
      throw new DeviceException(
          "expected a device of the mirror that holds everything, found none");
    }
    try {
      read(member, device, offset, into);
    } catch (DeviceCalls.NoAnswer e) {
      read(offset, into); // it is left out: of the other one
    }
  }

  /// Reads from one device. If there is another one, into memory that the device may still write
  /// later.
  ///
  /// @throws DeviceCalls.NoAnswer if it was left out for that
  private void read(MirrorMember member, BlockDevice device, long offset, ByteBuffer into) {
    Held held = member.held;
    if (!calls.areTimed()
        || !device.equals(member.whole())
        || members[1 - member.number].whole() == null) {
      device.read(offset, into);
      return;
    }
    int length = into.remaining();
    DeviceCalls.Lent lent = calls.lend(length, 2);
    DeviceException failed =
        calls.timed(from -> lent.use(bytes -> from.read(offset, bytes)), device);
    lent.use(bytes -> into.put(failed == null ? bytes : bytes.limit(0)));
    if (failed instanceof DeviceCalls.NoAnswer) {
      leaveOut(member, held, failed);
    }
    if (failed != null) {
      throw failed;
    }
  }

  /// The copies; at least one until this is closed.
  @Override
  public List<Copy> copies() {
    List<Copy> copies = copiesInTurn();
    // None if, between the looks, the first was filled and the other one left out.
    return copies.isEmpty() ? copiesInTurn() : copies;
  }

  @Override
  public List<Copy> reserves() {
    List<Copy> reserves = new ArrayList<>(1);
    for (MirrorMember member : members) {
      BlockDevice device = member.reserve;
      if (device != null && member.whole() == null) {
        reserves.add(new Copy(member.number, NAMES.get(member.number), new Alone(member, device)));
      }
    }
    return reserves;
  }

  private List<Copy> copiesInTurn() {
    List<Copy> copies = new ArrayList<>(2);
    for (MirrorMember member : members) {
      BlockDevice device = member.whole();
      if (device != null) {
        copies.add(new Copy(member.number, NAMES.get(member.number), new Alone(member, device)));
      }
    }
    return copies;
  }

  // ---- writes

  @Override
  public void write(long offset, List<ByteBuffer> from) {
    onBoth(offset, from, BlockDevice::write);
  }

  @Override
  public void writeStable(long offset, List<ByteBuffer> from) {
    onBoth(offset, from, BlockDevice::writeStable);
  }

  @Override
  public void sync() {
    onEach(BlockDevice::sync, BlockDevice::sync);
  }

  private interface Transfer {
    void run(BlockDevice device, long offset, List<ByteBuffer> from);
  }

  private void onBoth(long offset, List<ByteBuffer> from, Transfer transfer) {
    long length = 0;
    List<ByteBuffer> same = new ArrayList<>(from.size());
    for (int i = 0; i < from.size(); i++) {
      length += from.get(i).remaining();
      same.add(from.get(i).duplicate());
    }
    WriteRanges.Range range = ranges.enter(offset, offset + length);
    try {
      if (calls.areTimed()
          && members[0].held.device() != null
          && members[1].held.device() != null) {
        DeviceCalls.Lent lent = calls.copy(from, 2);
        DeviceCalls.Work work =
            device -> lent.use(bytes -> transfer.run(device, offset, List.of(bytes)));
        onEach(work, work);
      } else {
        onEach(
            device -> transfer.run(device, offset, from),
            device -> transfer.run(device, offset, same));
      }
    } finally {
      ranges.leave(range);
    }
  }

  private void onEach(DeviceCalls.Work onFirst, DeviceCalls.Work onSecond) {
    requireNoFailure();
    Held first = members[0].held;
    Held second = members[1].held;
    DeviceCalls.Ends ends = calls.both(onFirst, first.device(), onSecond, second.device());
    DeviceException here = ends.first();
    DeviceException there = ends.second();
    DeviceException failedHere = DeviceException.failure(here);
    DeviceException failedThere = DeviceException.failure(there);
    if (failedHere != null && failedThere != null) {
      failedHere.addSuppressed(failedThere);
      throw failed(failedHere);
    }
    if (failedHere != null) {
      leaveOut(members[0], first, failedHere);
    } else if (failedThere != null) {
      leaveOut(members[1], second, failedThere);
    }
    // One without space is as whole as the other: no caller was told that the write succeeded.
    DeviceException.throwIfNoSpace(here);
    DeviceException.throwIfNoSpace(there);
  }

  /// Goes on without a failed device, once that is known durably. A device that is being filled is
  /// known not to hold everything; it may be whole by the time that its failure is met.
  private void leaveOut(MirrorMember member, Held failed, DeviceException reason) {
    while (true) {
      Held now = member.held;
      if (!Objects.equals(now.device(), failed.device())) {
        return; // somebody else has met it
      }
      if (now.state() == State.WHOLE) {
        makeKnown(member, reason);
      }
      synchronized (this) {
        if (member.held.equals(now)) {
          leave(member);
          return;
        }
      }
    }
  }

  private void makeKnown(MirrorMember member, DeviceException reason) {
    try {
      keeper.leftOut(member.number, reason);
    } catch (DeviceException e) {
      throw failed(e);
    }
    if (members[1 - member.number].held.state() != State.WHOLE) {
      throw failed(reason);
    }
  }

  private DeviceException failed(DeviceException reason) {
    failure = reason;
    return reason;
  }

  private void requireNoFailure() {
    DeviceException before = failure;
    if (before != null) {
      throw new DeviceException("the devices have failed before: " + before.getMessage(), before);
    }
  }

  // Its readers may go on: it is closed with the rest.
  private synchronized void leave(MirrorMember member) {
    BlockDevice device = member.held.device();
    if (device != null) {
      leftOut.add(device);
    }
    member.held = new Held(State.ABSENT, null);
    member.reserve = null;
  }

  /// A device of the mirror, written alone. A failure there leaves it out as with any write.
  private final class Alone implements BlockDevice {
    private final MirrorMember member;
    private final BlockDevice device;

    Alone(MirrorMember member, BlockDevice device) {
      this.member = member;
      this.device = device;
    }

    @Override
    public long sizeInBytes() {
      return size;
    }

    @Override
    public void read(long offset, ByteBuffer into) {
      Mirror.this.read(member, device, offset, into);
    }

    @Override
    public @Nullable ReadQueue readQueue() {
      ReadQueue queue = device.readQueue();
      return queue == null ? null : new MemberQueue(queue, this::isWhole);
    }

    private boolean isWhole() {
      Held held = member.held;
      return held.state() == State.WHOLE && device.equals(held.device());
    }

    @Override
    public void write(long offset, List<ByteBuffer> from) {
      ranged(offset, from, BlockDevice::write);
    }

    @Override
    public void writeStable(long offset, List<ByteBuffer> from) {
      ranged(offset, from, BlockDevice::writeStable);
    }

    private void ranged(long offset, List<ByteBuffer> from, Transfer transfer) {
      long length = from.stream().mapToLong(ByteBuffer::remaining).sum();
      WriteRanges.Range range = ranges.enter(offset, offset + length);
      try {
        DeviceCalls.Lent lent = calls.copy(from, 1);
        onlyHere(only -> lent.use(bytes -> transfer.run(only, offset, List.of(bytes))));
      } finally {
        ranges.leave(range);
      }
    }

    @Override
    public void sync() {
      onlyHere(BlockDevice::sync);
    }

    private void onlyHere(DeviceCalls.Work work) {
      requireNoFailure();
      Held held = member.held;
      if (!device.equals(held.device())) {
        throw new DeviceException("the device was left out of the mirror");
      }
      boolean isOnly = members[1 - member.number].whole() == null;
      DeviceException failed =
          calls.areTimed() && !isOnly ? calls.timed(work, device) : DeviceCalls.here(work, device);
      if (failed != null) {
        leaveOut(member, held, failed);
        throw failed;
      }
    }

    @Override
    public void close() {}
  }

  // ---- filling

  /// Lets readers that can judge its content look into a device that does not hold everything
  /// ([#reserves]), until it is left out. Nothing is written to it.
  ///
  /// @param number 0 or 1, not one that holds everything
  public void lookInto(int number, BlockDevice device) {
    members[number].reserve = device;
  }

  /// Adds a device that does not hold everything yet: it is written from now on. The earlier device
  /// of this number is left out.
  ///
  /// @param number 0 or 1, not the only one that holds everything
  /// @throws DeviceException if it is smaller than this
  public synchronized void fill(int number, BlockDevice device) {
    MirrorMember member = members[number];
    if (device.sizeInBytes() < size) {
      throw new DeviceException(
          "expected a device of at least %d bytes, found %d".formatted(size, device.sizeInBytes()));
    }
    if (member.held.state() == State.WHOLE) {
      throw new IllegalStateException("expected a device that was left out, found a whole one");
    }
    leave(member);
    member.held = new Held(State.FILLING, device);
    member.reserve = device;
  }

  /// Copies bytes to the device that is being filled, and back those that only it has right.
  /// Nothing else writes there meanwhile. They are stable there after the next [#sync] of this.
  ///
  /// @param piece its length is copied; it notes the blocks that are right on neither
  /// @throws DeviceException if the device was left out; the piece must not be used again
  public void copy(long offset, int number, ResilverPiece piece, BlockVerifier judge) {
    MirrorMember member = members[number];
    Held held = member.held;
    Held whole = members[1 - number].held;
    if (held.state() != State.FILLING || held.device() == null || whole.device() == null) {
      throw new DeviceException("the device was left out of the mirror");
    }
    BlockDevice from = whole.device();
    WriteRanges.Range range = ranges.enterAlone(offset, offset + piece.length());
    try {
      DeviceCalls.Work work = to -> piece.copy(from, to, offset, judge);
      DeviceException failed =
          calls.areTimed()
              ? calls.timed(work, held.device())
              : DeviceCalls.here(work, held.device());
      if (failed != null) {
        leaveOut(member, held, failed);
        throw failed;
      }
      piece.mend(from, offset);
    } finally {
      ranges.leaveAlone(range);
    }
  }

  /// The device that is being filled, alone; absent if it is not being filled any more.
  public @Nullable BlockDevice filling(int number) {
    MirrorMember member = members[number];
    Held held = member.held;
    return held.state() == State.FILLING && held.device() != null
        ? new Alone(member, held.device())
        : null;
  }

  /// Notes that the filled device holds everything: it is read as well.
  ///
  /// @return false if it was left out meanwhile
  public synchronized boolean filled(int number) {
    Held held = members[number].held;
    if (held.state() != State.FILLING) {
      return false;
    }
    members[number].held = new Held(State.WHOLE, held.device());
    members[number].reserve = null;
    return true;
  }

  /// Whether a device is being filled, or absent.
  public boolean isFilling(int number) {
    return members[number].held.state() == State.FILLING;
  }

  // ----

  /// The medium of both devices, while they are there.
  @Override
  public @Nullable Medium medium() {
    return media().isEmpty() ? null : Medium.ofAll(this::media);
  }

  private List<Medium> media() {
    return Stream.of(members)
        .map(member -> member.held.device())
        .map(device -> device == null ? null : device.medium())
        .filter(Objects::nonNull)
        .toList();
  }

  @Override
  public boolean toleratesInterrupts() {
    for (MirrorMember member : members) {
      BlockDevice device = member.held.device();
      if (device != null && !device.toleratesInterrupts()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() {
    calls.close();
    List<BlockDevice> all;
    synchronized (this) {
      leave(members[0]);
      leave(members[1]);
      all = List.copyOf(leftOut);
      leftOut.clear();
    }
    DeviceCalls.closeAll(all);
  }
}

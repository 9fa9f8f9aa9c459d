package io.coppice.engine.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What becomes of reads when the ring, or what it says of them, is at fault.
class RingReadsTest {

  private static final int BLOCK = BlockDevice.BLOCK_SIZE;

  private final ScriptedRing ring = new ScriptedRing(8);
  private final Calls calls = new Calls();
  private final RingReads reads = new RingReads(ring, calls);

  @Test
  void whatTheRingReadsInFullNeedsNoCall() {
    List<Note> notes = add(5);

    awaitAll();

    assertThat(notes).allMatch(note -> note.ends == 1 && note.failure == null);
    assertThat(calls.made).isEmpty();
    assertThat(calls.bytes).isEqualTo(5L * BLOCK);
    assertThat(reads.room()).isEqualTo(8);
  }

  @Test
  void aFailedReadIsReadByACallAndOnlyItFailsIfThatDoes() {
    ring.results.put(1, -5);
    ring.results.put(3, -11);
    List<Note> notes = add(5);
    calls.bad = notes.get(1).offset();

    awaitAll();

    assertThat(calls.made).containsExactlyInAnyOrder(BLOCK + "+4096", 3 * BLOCK + "+4096");
    assertThat(notes).allMatch(note -> note.ends == 1);
    assertThat(notes.get(1).failure).hasMessageContaining("as the test asked");
    assertThat(notes.stream().filter(note -> note.failure != null)).hasSize(1);
  }

  @Test
  void aShortReadIsReadOnFromItsLastWholeBlock() {
    ring.results.put(0, 2 * BLOCK + 512);
    Note note = new Note(0, 4);
    reads.add(note);

    awaitAll();

    assertThat(note.failure).isNull();
    assertThat(note.ends).isEqualTo(1);
    assertThat(calls.made).containsExactly(2 * BLOCK + "+8192");
    assertThat(calls.bytes).isEqualTo(2L * BLOCK);
  }

  @Test
  void aRingThatTakesNothingIsLeftAndAllIsReadByCalls() {
    List<Note> notes = add(5);
    ring.failsAfterTaking = 0;

    awaitAll();

    assertThat(notes).allMatch(note -> note.ends == 1 && note.failure == null);
    assertThat(calls.made).hasSize(5);
    assertThat(calls.failures).containsExactly("the ring is gone");
    assertThat(reads.isUseful()).isFalse();
    List<Note> more = add(8);
    awaitAll();
    assertThat(more).allMatch(note -> note.ends == 1 && note.failure == null);
    assertThat(calls.failures).hasSize(1);
  }

  /// Its memory is the kernel's until it has ended.
  @Test
  void whatARingHadBegunWhenItFailedIsWaitedFor() {
    List<Note> notes = add(6);
    ring.failsAfterTaking = 4;
    ring.refusals = 3;

    awaitAll();

    assertThat(notes).allMatch(note -> note.ends == 1 && note.failure == null);
    assertThat(ring.begun).as("in the kernel's hands").isEmpty();
    assertThat(ring.refusals).as("it was asked until it answered").isZero();
    assertThat(calls.made).containsExactlyInAnyOrder(4 * BLOCK + "+4096", 5 * BLOCK + "+4096");
  }

  @Test
  void closingWaitsForWhatIsUnderWay() {
    List<Note> notes = add(8);
    ring.atATime = 3;
    reads.await();

    reads.close();

    assertThat(notes).allMatch(note -> note.ends == 1 && note.failure == null);
    assertThat(ring.closed).isTrue();
  }

  @Test
  void aReadTooManyIsRefused() {
    add(8);

    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> reads.add(new Note(0, 1)))
        .withMessageContaining("at most 8");
    assertThatThrownBy(
            () -> {
              awaitAll();
              reads.add(new Note(ByteBuffer.allocate(BLOCK)));
            })
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("direct");
  }

  @Test
  void everyReadEndsOnceWhateverOrderTheRingTakesAndEndsThemIn() {
    for (int seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ScriptedRing any = new ScriptedRing(8);
      any.random = random;
      RingReads queue = new RingReads(any, calls);
      List<Note> notes = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        while (queue.room() == 0 || !queue.isEmpty() && random.nextInt(3) == 0) {
          queue.await();
        }
        Note note = new Note(i, 1 + random.nextInt(3));
        notes.add(note);
        queue.add(note);
        if (i == 60 && random.nextInt(4) == 0) {
          any.failsAfterTaking = random.nextInt(4);
        }
      }
      queue.close();

      assertThat(notes).as("seed %d", seed).allMatch(n -> n.ends == 1 && n.failure == null);
    }
  }

  private List<Note> add(int count) {
    List<Note> notes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Note note = new Note(i, 1);
      notes.add(note);
      reads.add(note);
    }
    return notes;
  }

  private void awaitAll() {
    while (!reads.isEmpty()) {
      reads.await();
    }
  }

  /// A read that notes how it ended.
  private static final class Note extends ReadQueue.Piece {
    private int ends;
    private @Nullable DeviceException failure;

    Note(int block, int blocks) {
      int length = blocks * BLOCK;
      set((long) block * BLOCK, ByteBuffer.allocateDirect(length), 0, length);
    }

    Note(ByteBuffer into) {
      set(0, into, 0, into.remaining());
    }

    @Override
    public void ended(@Nullable DeviceException failure) {
      ends++;
      this.failure = failure;
    }
  }

  private static final class Calls implements RingReads.Calls {
    private final List<String> made = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private long bytes;
    private long bad = -1;

    @Override
    public void read(long offset, ByteBuffer into) {
      made.add(offset + "+" + into.remaining());
      if (offset == bad) {
        throw new DeviceException("it cannot be read, as the test asked");
      }
    }

    @Override
    public void wasRead(long count) {
      bytes += count;
    }

    @Override
    public void ringFailed(IOException reason) {
      failures.add(reason.getMessage());
    }
  }

  /// A ring that does as it is told, and keeps what it has begun until it has ended it.
  private static final class ScriptedRing implements Ring {
    private record Prepared(int number, int result) {}

    private final int capacity;
    private final Map<Integer, Integer> results = new HashMap<>();
    private final List<Prepared> prepared = new ArrayList<>();
    private final List<Prepared> begun = new ArrayList<>();
    private final ArrayDeque<Long> ended = new ArrayDeque<>();
    private int atATime = Integer.MAX_VALUE;
    private int failsAfterTaking = -1;
    private int refusals;
    private int entered;
    private boolean closed;
    private @Nullable SplittableRandom random;

    ScriptedRing(int capacity) {
      this.capacity = capacity;
    }

    @Override
    public int capacity() {
      return capacity;
    }

    @Override
    public void prepare(int number, long address, int length, long at) {
      assertThat(prepared.size() + begun.size()).isLessThan(capacity);
      assertThat(address).isNotZero();
      // By order of coming, as the tests speak of them.
      prepared.add(new Prepared(number, results.getOrDefault(entered++, length)));
    }

    @Override
    public int enter() throws IOException {
      if (failsAfterTaking >= 0) {
        begin(failsAfterTaking);
        failsAfterTaking = -1;
        throw new IOException("the ring is gone");
      }
      if (refusals > 0) {
        refusals--;
        throw new IOException("not now");
      }
      SplittableRandom choice = random;
      begin(choice == null ? prepared.size() : choice.nextInt(prepared.size() + 1));
      if (begun.isEmpty()) {
        begin(prepared.size());
      }
      int most = choice == null ? atATime : 1 + choice.nextInt(capacity);
      for (int i = 0; i < most && !begun.isEmpty(); i++) {
        Prepared one = begun.remove(choice == null ? 0 : choice.nextInt(begun.size()));
        ended.add((long) one.number() << 32 | one.result() & 0xFFFF_FFFFL);
      }
      return prepared.size();
    }

    private void begin(int count) {
      for (int i = 0; i < count && !prepared.isEmpty(); i++) {
        begun.add(prepared.removeFirst());
      }
    }

    @Override
    public int withdraw() {
      int left = prepared.size();
      prepared.clear();
      return left;
    }

    @Override
    public long poll() {
      Long one = ended.poll();
      return one == null ? NONE : one;
    }

    @Override
    public void close() {
      assertThat(begun).isEmpty();
      closed = true;
    }
  }
}

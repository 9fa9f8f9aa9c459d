package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.device.FailStopDevice;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.StructureHeader;
import io.coppice.engine.status.MirrorStatus;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.CheckedPool;
import io.coppice.engine.testing.SimulatedBlockDevice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One double fault on two devices, drawn from a seed.
///
/// Both hold everything; the second one goes away and the pool goes on alone; then either is
/// damaged, in blocks of every kind, and the second one comes back and is filled, perhaps with a
/// crash in between. What could be had of either is known from an image of before the damage.
final class DoubleFaultRun {

  private static final int BLOCK = 4096;
  private static final int BLOCKS = 384;
  private static final int ZONE = 256 << 10;
  private static final long SIZE = 14L << 20;
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));
  private static final VolumeId VOLUME = new VolumeId(new UUID(0, 7));
  private static final List<Long> SELF_NAMED =
      List.of(StructureHeader.NODE, StructureHeader.PAGE, StructureHeader.CHUNK);
  private static final Pattern RANGE =
      Pattern.compile("LBA (\\d+) to (\\d+) of volume ([-0-9a-f]+)");

  private final SplittableRandom random;
  private SimulatedBlockDevice first = new SimulatedBlockDevice(SIZE);
  private SimulatedBlockDevice second = new SimulatedBlockDevice(SIZE);
  private SimulatedBlockDevice pristine = first;

  // What the volume, and each snapshot, holds: the round in which each block was written.
  private final Map<VolumeId, int[]> model = new TreeMap<>();
  private int round;
  private int snapshots;
  private long protectedFrom;
  private long protectedTo;
  private long nextFrom;
  private int lost;
  private int saved;
  private boolean filledBefore;

  /// What a block of a volume is.
  private record Seen(VolumeId volume, int block) {}

  DoubleFaultRun(long seed) {
    random = new SplittableRandom(seed);
  }

  int lostBlocks() {
    return lost;
  }

  int savedBlocks() {
    return saved;
  }

  void run() {
    RedirectOnWriteEngine.format(
        first, second, new PoolFormat(new UUID(1, 2), ZONE, CLOCK.instant()));
    RedirectOnWriteEngine engine = open(first, second, false);
    engine.create(OperationId.random(), VolumeSpec.thin(VOLUME, (long) BLOCKS * BLOCK));
    model.put(VOLUME, new int[BLOCKS]);
    use(engine, 5 + random.nextInt(20));
    goAway(engine);
    RedirectOnWriteEngine alone = open(first, null, true);
    use(alone, random.nextInt(25));
    end(alone);
    first = first.afterCrash(random);
    second = second.afterCrash(random);
    pristine = first.afterCrash(random);
    protectLastBatch();
    damage();
    comeBack();
  }

  // ---- use

  private void goAway(RedirectOnWriteEngine engine) {
    if (random.nextInt(3) == 0) {
      second.failSyncs(1);
      use(engine, 3);
    }
    end(engine);
    first = first.afterCrash(random);
    second = second.afterCrash(random);
  }

  private void end(RedirectOnWriteEngine engine) {
    if (random.nextBoolean()) {
      engine.close();
    } else {
      engine.abandon();
    }
  }

  private void use(StorageEngine engine, int changes) {
    for (int i = 0; i < changes; i++) {
      switch (random.nextInt(12)) {
        case 0 -> snapshot(engine);
        case 1 -> ((RedirectOnWriteEngine) engine).checkpoint();
        case 2 -> deleteOne(engine);
        default -> {
          int blocks = 1 + random.nextInt(random.nextInt(4) == 0 ? 64 : 8);
          write(engine, random.nextInt(BLOCKS - blocks), blocks);
        }
      }
    }
  }

  private void snapshot(StorageEngine engine) {
    VolumeId id = new VolumeId(new UUID(1, ++snapshots));
    engine.snapshot(
        OperationId.random(),
        List.of(new SnapshotSpec(VOLUME, id, Map.of())),
        Duration.ofSeconds(30));
    model.put(id, model.get(VOLUME).clone());
  }

  private void deleteOne(StorageEngine engine) {
    VolumeId id = new VolumeId(new UUID(1, 1 + random.nextInt(1 + snapshots)));
    if (model.remove(id) != null) {
      engine.delete(OperationId.random(), id);
    }
  }

  private void write(StorageEngine engine, int from, int blocks) {
    round++;
    ByteBuffer bytes = ByteBuffer.allocateDirect(blocks * BLOCK);
    for (int i = 0; i < blocks; i++) {
      bytes.put(content(round, from + i));
    }
    Await.io(done -> engine.open(VOLUME).write((long) from * BLOCK, bytes.flip(), done));
    for (int i = 0; i < blocks; i++) {
      model.get(VOLUME)[from + i] = round;
    }
  }

  // ---- damage

  /// The last batch after a crash cannot be told from a torn one, nor what cannot be read behind it
  /// from one that follows: they are left alone.
  private void protectLastBatch() {
    long newest = -1;
    for (long offset : pristine.structures(StructureHeader.BATCH)) {
      long seq = bytes(pristine, offset).getLong(48);
      if (seq > newest) {
        newest = seq;
        protectedFrom = offset;
        long inZones = offset - PoolLayout.SUPERBLOCK_AREA;
        protectedTo = offset + ZONE - inZones % ZONE;
        int next = bytes(pristine, offset).getInt(88);
        nextFrom = next < 0 ? SIZE : PoolLayout.zoneOffset(next, ZONE);
      }
    }
  }

  private void damage() {
    List<Long> blocks = blocks(first);
    List<Long> others = blocks(second);
    int share = 1 + random.nextInt(60);
    boolean both = random.nextInt(4) == 0;
    for (long at : blocks) {
      boolean selfNamed = SELF_NAMED.contains(magic(pristine, at));
      if (random.nextInt(100) < share && (both || !selfNamed || isElsewhere(at))) {
        hurt(first, at);
      }
    }
    int other = random.nextInt(30);
    for (long at : others) {
      boolean only = !same(first, at) && SELF_NAMED.contains(magic(second, at));
      if (random.nextInt(100) < other && (both || !only)) {
        hurt(second, at);
      }
    }
  }

  private void hurt(SimulatedBlockDevice device, long at) {
    boolean isEnd = at >= protectedFrom && at < protectedTo;
    if (!isEnd && (at < nextFrom || at >= nextFrom + ZONE)) {
      if (random.nextInt(4) == 0) {
        device.failReads(at + 512L * random.nextInt(8));
      } else {
        device.flipBit(at + random.nextInt(64), random.nextInt(8));
      }
    }
  }

  /// Whether a structure is on the second device as well, or once more on the first one.
  private boolean isElsewhere(long at) {
    if (same(second, at)) {
      return true;
    }
    return copiesOf(at).stream().anyMatch(copy -> copy != at && same(first, copy));
  }

  private List<Long> copiesOf(long at) {
    ByteBuffer head = bytes(pristine, at).limit(48);
    List<Long> copies = new ArrayList<>();
    for (long offset : pristine.structures(magic(pristine, at))) {
      if (bytes(pristine, offset).limit(48).equals(head)) {
        copies.add(offset);
      }
    }
    return copies;
  }

  private static List<Long> blocks(SimulatedBlockDevice device) {
    Set<Long> blocks = new TreeSet<>();
    for (long sector : device.storedSectors()) {
      if (sector >= PoolLayout.SUPERBLOCK_AREA) {
        blocks.add(sector / BLOCK * BLOCK);
      }
    }
    return List.copyOf(blocks);
  }

  private static long magic(SimulatedBlockDevice device, long at) {
    return bytes(device, at).getLong(0);
  }

  /// Whether a device has what the first one had before the damage.
  private boolean same(SimulatedBlockDevice device, long at) {
    try {
      return bytes(device, at).equals(bytes(pristine, at));
    } catch (RuntimeException unreadable) {
      return false;
    }
  }

  /// Whether a structure of several blocks, or the log, has lost a piece on both devices.
  private boolean isStructureLost() {
    for (long magic : SELF_NAMED) {
      for (long at : pristine.structures(magic)) {
        if (copiesOf(at).stream().noneMatch(this::isWholeSomewhere)) {
          return true;
        }
      }
    }
    return pristine.structures(StructureHeader.BATCH).stream()
        .anyMatch(at -> !isWholeSomewhere(at));
  }

  private boolean isWholeSomewhere(long at) {
    int length = bytes(pristine, at).getInt(12);
    return isWhole(first, at, length) || isWhole(second, at, length);
  }

  private boolean isWhole(SimulatedBlockDevice device, long at, int length) {
    for (long block = at; block < at + length; block += BLOCK) {
      if (!same(device, block)) {
        return false;
      }
    }
    return true;
  }

  // ---- the fill

  private void comeBack() {
    boolean structureLost = isStructureLost();
    Set<Seen> available = available(structureLost);
    RedirectOnWriteEngine engine;
    try {
      engine = open(first, second, false);
    } catch (StorageException e) {
      assertThat(structureLost).as("refused: %s", e.getMessage()).isTrue();
      return;
    }
    if (random.nextInt(3) == 0) {
      engine = afterCrash(engine);
    }
    for (int i = random.nextInt(6); i > 0; i--) {
      int blocks = 1 + random.nextInt(8);
      int from = random.nextInt(BLOCKS - blocks);
      try {
        write(engine, from, blocks);
      } catch (StorageException e) { // what the map says there is lost
        assertThat(structureLost).as("refused: %s", e.getMessage()).isTrue();
        continue;
      }
      for (int k = from; k < from + blocks; k++) {
        available.add(new Seen(VOLUME, k));
      }
    }
    RedirectOnWriteEngine filled = engine;
    Await.until("both hold everything", () -> filled.mirror().orElseThrow().isRedundant());
    Set<Seen> unreadable = unreadable(engine);
    if (!filledBefore) { // else what the fill said went with its process
      assertExact(engine, unreadable);
    }
    Set<Seen> lostThough = new HashSet<>(unreadable);
    lostThough.retainAll(available);
    assertThat(lostThough).as("one device had it, and now it is lost").isEmpty();
    lost += unreadable.size();
    engine.close();
    if (!structureLost) { // else what is in memory still may be stored anew, or not
      assertOnEach(unreadable);
    }
  }

  private RedirectOnWriteEngine afterCrash(RedirectOnWriteEngine engine) {
    first.sharePowerWith(second);
    first.losePowerAfter(1 + random.nextInt(40));
    second.losePowerAfter(1 + random.nextInt(200));
    Await.until(
        "the power goes or the fill ends",
        () ->
            first.powerIsLost() // the second one loses it with its next write, which may never come
                || second.powerIsLost()
                || engine.mirror().orElseThrow().second() != MirrorStatus.State.FILLING);
    engine.abandon();
    first = restarted(first);
    second = restarted(second);
    RedirectOnWriteEngine again = open(first, second, false);
    filledBefore = again.mirror().orElseThrow().isRedundant();
    return again;
  }

  private SimulatedBlockDevice restarted(SimulatedBlockDevice device) {
    SimulatedBlockDevice found = device.afterCrash(random);
    device.unreadableSectors().forEach(found::failReads);
    return found;
  }

  /// The blocks of volumes that a device still has where the pool has them.
  private Set<Seen> available(boolean structureLost) {
    Map<ByteBuffer, List<Long>> places = new HashMap<>();
    for (long at : blocks(pristine)) {
      places.computeIfAbsent(bytes(pristine, at), _ -> new ArrayList<>()).add(at);
    }
    Set<Seen> available = new HashSet<>();
    if (structureLost) {
      return available;
    }
    model.forEach(
        (volume, rounds) -> {
          for (int block = 0; block < BLOCKS; block++) {
            if (rounds[block] == 0) {
              available.add(new Seen(volume, block));
              continue;
            }
            List<Long> at = places.getOrDefault(content(rounds[block], block), List.of());
            assertThat(at).as("places of block %d of %s", block, volume).isNotEmpty();
            if (at.stream().allMatch(this::isSomewhere)) {
              available.add(new Seen(volume, block));
              saved += at.stream().noneMatch(place -> same(first, place)) ? 1 : 0;
            }
          }
        });
    return available;
  }

  private boolean isSomewhere(long at) {
    return same(first, at) || same(second, at);
  }

  // ---- what came of it

  private Set<Seen> unreadable(StorageEngine engine) {
    Set<Seen> unreadable = new HashSet<>();
    ByteBuffer found = ByteBuffer.allocateDirect(BLOCK);
    model.forEach(
        (volume, rounds) -> {
          for (int i = 0; i < BLOCKS; i++) {
            int block = i;
            try {
              Await.io(done -> engine.open(volume).read((long) block * BLOCK, found.clear(), done));
            } catch (StorageException e) {
              unreadable.add(new Seen(volume, block));
              continue;
            }
            ByteBuffer expected =
                rounds[block] == 0 ? ByteBuffer.allocate(BLOCK) : content(rounds[block], block);
            assertThat(found.flip()).as("block %d of %s", block, volume).isEqualTo(expected);
          }
        });
    return unreadable;
  }

  /// What was told by volume and LBA is what does not read, no more and no less.
  private static void assertExact(StorageEngine engine, Set<Seen> unreadable) {
    Set<Seen> blocks = new HashSet<>();
    Set<Seen> below = new HashSet<>();
    for (ScrubFinding finding : engine.scrub().status().findings()) {
      Matcher range = RANGE.matcher(finding.sentence());
      if (!(finding instanceof ScrubFinding.MendedBlock) && range.find()) {
        VolumeId volume = VolumeId.parse(range.group(3));
        long end = (Long.parseLong(range.group(2)) + 1) / 8;
        for (long block = Long.parseLong(range.group(1)) / 8; block < end; block++) {
          (finding instanceof ScrubFinding.BadBlock ? blocks : below)
              .add(new Seen(volume, (int) block));
        }
      }
    }
    Set<Seen> told = new HashSet<>(blocks);
    told.addAll(below);
    assertThat(told).as("told").containsAll(unreadable);
    assertThat(unreadable).as("unreadable").containsAll(blocks);
    String sentence = engine.mirror().orElseThrow().sentence();
    assertThat(sentence.isEmpty())
        .as("sentence: %s, told: %s", sentence, told)
        .isEqualTo(told.isEmpty());
    if (below.isEmpty() && !blocks.isEmpty()) {
      assertThat(sentence).contains(" %d blocks of volumes".formatted(blocks.size()));
    }
  }

  private void assertOnEach(Set<Seen> unreadable) {
    if (unreadable.isEmpty()) {
      CheckedPool.whole(first, second);
    }
    for (int member = 0; member < 2; member++) {
      SimulatedBlockDevice device = member == 0 ? first : second;
      SimulatedBlockDevice copy = device.afterCrash(random);
      // Behind the end of its log one device alone must be readable: so the bytes are wrong
      // instead.
      device.unreadableSectors().forEach(sector -> copy.flipBit(sector, 1));
      RedirectOnWriteEngine alone =
          open(member == 0 ? copy : null, member == 0 ? null : copy, true);
      assertThat(unreadable(alone)).as("not on device %d", member).isEqualTo(unreadable);
      alone.close();
    }
  }

  // ---- tools

  private static RedirectOnWriteEngine open(
      @Nullable SimulatedBlockDevice one, @Nullable SimulatedBlockDevice two, boolean vouched) {
    EngineOptions options = EngineOptions.defaults().withReaderThreads(2);
    RedirectOnWriteEngine engine =
        RedirectOnWriteEngine.open(
            one == null ? null : new FailStopDevice(one),
            two == null ? null : new FailStopDevice(two),
            options.withStartsDegraded(vouched),
            CLOCK);
    engine.scrub().configure(new ScrubSettings(Duration.ZERO, 100));
    return engine;
  }

  private static ByteBuffer bytes(SimulatedBlockDevice device, long at) {
    ByteBuffer block = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
    device.read(at, block);
    return block.flip();
  }

  private static ByteBuffer content(int round, int block) {
    ByteBuffer bytes = ByteBuffer.allocate(BLOCK);
    SplittableRandom random = new SplittableRandom(((long) round << 32) + block);
    while (bytes.hasRemaining()) {
      bytes.putLong(random.nextLong());
    }
    return bytes.flip();
  }
}

package io.coppice.engine.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StructureCodecTest {

  private static final long SEED = Long.getLong("test.seed", 6_001L);
  private static final UUID POOL = new UUID(11, 12);
  private static final long SELF = 0x4000_0000_0120_0008L;

  private final SplittableRandom random = new SplittableRandom(SEED);

  // ---- superblock

  @Test
  void aSuperblockReadsAsItWasWritten() {
    for (int i = 0; i < 500; i++) {
      Superblock written = superblock();
      ByteBuffer slot = buffer(Superblock.LENGTH);
      written.encode(slot, 8192);
      assertThat(Superblock.isIntact(slot, 8192)).isTrue();
      assertThat(Superblock.decode(slot)).as("seed %d", SEED).isEqualTo(written);
      assertThat(Superblock.isIntact(slot, 4096)).isFalse();
    }
  }

  @Test
  void aSuperblockWithAnyBitFlippedIsNotIntact() {
    ByteBuffer slot = buffer(Superblock.LENGTH);
    superblock().encode(slot, 0);
    for (int bit = 0; bit < 8 * Superblock.LENGTH; bit++) {
      flip(slot, bit);
      assertThat(Superblock.isIntact(slot, 0)).as("bit %d", bit).isFalse();
      flip(slot, bit);
    }
    assertThat(Superblock.isIntact(slot, 0)).isTrue();
  }

  @Test
  void aSuperblockOfAnyBytesReadsAsSomething() {
    new Hostile(
            bytes -> {
              ByteBuffer slot = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
              Superblock.isIntact(slot, 0);
              Superblock.decode(slot);
            })
        .random(new byte[Superblock.LENGTH], random, 2000);
  }

  // ---- batch header and position

  @Test
  void aBatchHeaderReadsAsItWasWritten() {
    for (int i = 0; i < 500; i++) {
      BatchHeader written =
          new BatchHeader(
              random.nextLong(),
              random.nextLong(),
              random.nextInt(),
              random.nextInt(),
              random.nextInt(),
              random.nextInt(),
              new BatchHeader.Place(
                  random.nextInt(), random.nextInt(), random.nextInt(), random.nextInt()),
              random.nextLong());
      ByteBuffer bytes = buffer(4096);
      written.encode(bytes);
      assertThat(BatchHeader.decode(bytes)).as("seed %d", SEED).isEqualTo(written);
      StructureHeader.seal(bytes, StructureHeader.BATCH, POOL, SELF, 4096);
      assertThat(BatchHeader.decode(bytes)).isEqualTo(written);
    }
  }

  @Test
  void aPositionReadsAsItWasWritten() {
    for (int i = 0; i < 500; i++) {
      LogPosition written = position();
      ByteBuffer bytes = buffer(64);
      written.encode(bytes, 17);
      assertThat(LogPosition.decode(bytes, 17)).as("seed %d", SEED).isEqualTo(written);
    }
  }

  // ---- header

  @Test
  void aStructureIsIntactOnlyAsItsKindOfItsPoolAtItsPlace() {
    ByteBuffer bytes = buffer(4096);
    StructureHeader.seal(bytes, StructureHeader.CHUNK, POOL, SELF, 600);
    assertThat(StructureHeader.isIntact(bytes, StructureHeader.CHUNK, POOL, SELF)).isTrue();
    assertThat(StructureHeader.isIntact(bytes, StructureHeader.NODE, POOL, SELF)).isFalse();
    assertThat(StructureHeader.isIntact(bytes, StructureHeader.CHUNK, new UUID(1, 1), SELF))
        .isFalse();
    assertThat(StructureHeader.isIntact(bytes, StructureHeader.CHUNK, POOL, SELF + 1)).isFalse();
    for (int length : new int[] {Integer.MIN_VALUE, -1, 0, 47, 4097, Integer.MAX_VALUE}) {
      bytes.putInt(12, length);
      assertThat(StructureHeader.isIntact(bytes, StructureHeader.CHUNK, POOL, SELF)).isFalse();
    }
  }

  // ---- chunk

  private static final Superblock.Features TWINS = new Superblock.Features(Superblock.TWINS, 0, 0);

  @Test
  void aChunkReadsAsItWasWritten() {
    for (int i = 0; i < 200; i++) {
      byte[] content = new byte[random.nextInt(9000)];
      random.nextBytes(content);
      Superblock.Root before =
          new Superblock.Root(
              random.nextLong(), random.nextInt(), random.nextInt(), random.nextLong());
      ByteBuffer bytes = buffer(16384);
      Chunk.Place place = new Chunk.Place(SELF, random.nextLong());
      Superblock.Root root = Chunk.encode(bytes, POOL, place, before, i, content);
      assertThat(root.twin()).isEqualTo(place.twin());
      Chunk.check(bytes, POOL, TWINS, root);
      assertThat(Chunk.bytes(bytes, TWINS)).as("seed %d", SEED).isEqualTo(content);
      assertThat(Chunk.before(bytes, TWINS)).isEqualTo(before);
      assertThat(Chunk.number(bytes)).isEqualTo(i);
    }
  }

  @Test
  void hostileChunksAreRefused() {
    ByteBuffer sealed = buffer(4096);
    byte[] content = new byte[150];
    Superblock.Root root =
        Chunk.encode(
            sealed, POOL, new Chunk.Place(SELF, 0), new Superblock.Root(0, 0, 0, 0), 3, content);
    byte[] bytes = Arrays.copyOf(sealed.array(), root.length());
    Hostile hostile = new Hostile(b -> chunk(b, root));
    hostile.flipped(bytes);
    assertThat(hostile.refused()).isEqualTo(8 * bytes.length);
    // Sealed again, and named with the right CRC: as if it had been written so.
    Hostile repaired =
        new Hostile(
            b -> {
              ByteBuffer in = ByteBuffer.wrap(b).order(ByteOrder.LITTLE_ENDIAN);
              int crc = StructureHeader.seal(in, StructureHeader.CHUNK, POOL, SELF, b.length);
              chunk(b, new Superblock.Root(SELF, b.length, crc, 0));
            });
    repaired.flipped(bytes).extreme(bytes).random(bytes, random, 2000);
    assertThat(repaired.refused()).isPositive();
    for (int length :
        new int[] {Integer.MIN_VALUE, -1, 0, 47, 48, 71, 79, 1 << 20, Integer.MAX_VALUE}) {
      Superblock.Root wrong = new Superblock.Root(SELF, length, root.crc(), 0);
      assertThatThrownBy(() -> Chunk.check(sealed, POOL, TWINS, wrong))
          .as("length %d", length)
          .isInstanceOf(FormatException.class);
    }
  }

  private static void chunk(byte[] bytes, Superblock.Root root) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    Chunk.check(in, POOL, TWINS, root);
    Chunk.number(in);
    Chunk.before(in, TWINS);
    Chunk.bytes(in, TWINS);
  }

  // ---- node

  @Test
  void aNodeReadsAsItWasWritten() {
    for (int i = 0; i < 500; i++) {
      NodeImage written = node(random.nextInt(4), random.nextInt(513));
      ByteBuffer bytes = buffer(16384);
      int length = written.encode(bytes, POOL, SELF);
      assertThat(length).isEqualTo(written.length()).isLessThanOrEqualTo(NodeImage.MAX_LENGTH);
      NodeImage read = NodeImage.decode(bytes, POOL, SELF, StructureHeader.crcOf(bytes));
      assertThat(read).usingRecursiveComparison().as("seed %d", SEED).isEqualTo(written);
    }
  }

  @Test
  void hostileNodesAreRefusedOrReadAsSomethingElse() {
    for (int level = 0; level <= 3; level++) {
      ByteBuffer sealed = buffer(4096);
      int length = node(level, 9).encode(sealed, POOL, SELF);
      int crc = StructureHeader.crcOf(sealed);
      byte[] bytes = Arrays.copyOf(sealed.array(), length);
      Hostile hostile = new Hostile(b -> NodeImage.decode(wrap(b), POOL, SELF, crc));
      hostile.flipped(bytes);
      assertThat(hostile.refused()).isEqualTo(8 * bytes.length);
      Hostile repaired =
          new Hostile(
              b -> {
                int now = StructureHeader.seal(wrap(b), StructureHeader.NODE, POOL, SELF, b.length);
                NodeImage.decode(wrap(b), POOL, SELF, now);
              });
      repaired.flipped(bytes).extreme(bytes).random(bytes, random, 2000);
      assertThat(repaired.refused()).isPositive();
    }
  }

  @Test
  void aLeafOfBlocksThatLieOneBehindTheOtherTakesOneBlock() {
    NodeImage leaf = sequential(512);
    ByteBuffer bytes = buffer(16384);

    int length = leaf.encode(bytes, POOL, SELF);

    assertThat(length).isEqualTo(leaf.length()).isLessThanOrEqualTo(PoolLayout.BLOCK);
    assertThat(NodeImage.decode(bytes, POOL, SELF, StructureHeader.crcOf(bytes)))
        .usingRecursiveComparison()
        .isEqualTo(leaf);
  }

  /// Sixteen runs of addresses; the second half was installed by another version.
  private NodeImage sequential(int n) {
    int[] born = new int[n];
    Arrays.fill(born, 0, n / 2, 7);
    Arrays.fill(born, n / 2, n, 9);
    long[] addresses = new long[n];
    for (int i = 0; i < n; i++) {
      addresses[i] = BlockAddress.of(3, i + i * 16 / n, 1);
    }
    int[] indexes = IntStream.range(0, n).toArray();
    return new NodeImage(9, 0, 0, indexes, addresses, random.ints(n).toArray(), born);
  }

  @Test
  void hostileRunsOfALeafAreRefusedOrReadAsSomethingElse() {
    ByteBuffer sealed = buffer(8192);
    int length = sequential(64).encode(sealed, POOL, SELF);
    byte[] bytes = Arrays.copyOf(sealed.array(), length);
    Hostile repaired =
        new Hostile(
            b -> {
              int now = StructureHeader.seal(wrap(b), StructureHeader.NODE, POOL, SELF, b.length);
              NodeImage.decode(wrap(b), POOL, SELF, now);
            });

    repaired.flipped(bytes).extreme(bytes).random(bytes, random, 2000);

    assertThat(repaired.refused()).isPositive();
  }

  @Test
  void runsOfALeafThatAreNotThoseOfItsEntriesAreRefused() {
    ByteBuffer bytes = buffer(8192);
    int length = sequential(64).encode(bytes, POOL, SELF);
    int runs = bytes.getShort(128);
    int lengths = 128 + 8 + 8 * runs + 4 * bytes.getShort(130);
    int[][] changes = {
      {128, 0},
      {128, runs - 1},
      {128, runs + 1},
      {128, -1},
      {130, 0},
      {130, 1},
      {130, -1},
      {132, 1},
      {lengths, 0},
      {lengths, 3},
      {lengths, 5},
      {lengths, -1},
      {lengths + 2 * runs, 1}
    };
    for (int[] change : changes) {
      ByteBuffer mutated = buffer(8192).put(0, bytes, 0, 8192);
      mutated.putShort(change[0], (short) change[1]);
      int crc = StructureHeader.seal(mutated, StructureHeader.NODE, POOL, SELF, length);
      assertThatThrownBy(() -> NodeImage.decode(mutated, POOL, SELF, crc))
          .as("%d at %d", change[1], change[0])
          .isInstanceOf(FormatException.class);
    }
  }

  @Test
  void aNodeThatContradictsItselfIsRefused() {
    ByteBuffer bytes = buffer(4096);
    int length = node(1, 9).encode(bytes, POOL, SELF);
    for (int[] change : new int[][] {{54, 10}, {54, 8}, {54, 512}, {52, 0}, {52, 4}, {56, 1}}) {
      ByteBuffer mutated = buffer(4096).put(0, bytes, 0, 4096);
      if (change[0] == 54) {
        mutated.putShort(54, (short) change[1]);
      } else {
        mutated.put(change[0], (byte) change[1]);
      }
      int crc = StructureHeader.seal(mutated, StructureHeader.NODE, POOL, SELF, length);
      assertThatThrownBy(() -> NodeImage.decode(mutated, POOL, SELF, crc))
          .as("%d at %d", change[1], change[0])
          .isInstanceOf(FormatException.class);
    }
  }

  // ---- address

  @Test
  void anAddressNamesItsSegmentBlockAndLength() {
    for (int i = 0; i < 5000; i++) {
      int segment = random.nextInt(BlockAddress.MAX_SEGMENT + 1);
      int block = random.nextInt(1 << 17);
      int blocks = 1 + random.nextInt(16);
      long address = BlockAddress.of(segment, block, blocks);
      assertThat(BlockAddress.isValid(address)).isTrue();
      assertThat(BlockAddress.segment(address)).as("seed %d", SEED).isEqualTo(segment);
      assertThat(BlockAddress.block(address)).isEqualTo(block);
      assertThat(BlockAddress.blocks(address)).isEqualTo(blocks);
    }
    assertThat(BlockAddress.isValid(BlockAddress.NONE)).isFalse();
  }

  @Test
  void aNumberThatIsNoAddressIsNotValid() {
    for (int i = 0; i < 100_000; i++) {
      long number = random.nextLong();
      boolean made =
          number
              == BlockAddress.of(
                  BlockAddress.segment(number),
                  BlockAddress.block(number),
                  BlockAddress.blocks(number));
      assertThat(BlockAddress.isValid(number)).as("%x", number).isEqualTo(made);
    }
  }

  // ---- what to write

  private Superblock superblock() {
    Superblock.Features features =
        new Superblock.Features(random.nextLong(), random.nextLong(), random.nextLong());
    return new Superblock(
        new UUID(random.nextLong(), random.nextLong()),
        random.nextLong(),
        features,
        new Superblock.Geometry(random.nextInt(), random.nextInt()),
        random.nextLong(),
        new Superblock.Root(
            random.nextLong(),
            random.nextInt(),
            random.nextInt(),
            features.hasTwins() ? random.nextLong() : 0),
        position());
  }

  private LogPosition position() {
    return new LogPosition(
        random.nextLong(),
        random.nextInt(),
        random.nextInt(),
        random.nextInt(),
        random.nextInt(),
        random.nextInt(),
        random.nextInt());
  }

  private NodeImage node(int level, int n) {
    int owner = 1 + random.nextInt(100);
    boolean inherits = random.nextBoolean();
    boolean inRuns = random.nextBoolean();
    int[] indexes = random.ints(0, 512).distinct().limit(n).sorted().toArray();
    long[] addresses = random.longs(n).toArray();
    int[] third =
        random.ints(n).map(born -> level > 0 || inherits ? born & 0xFFFF : owner).toArray();
    for (int i = 1; inRuns && i < n; i++) {
      addresses[i] = random.nextInt(8) == 0 ? addresses[i] : BlockAddress.next(addresses[i - 1]);
      third[i] = random.nextInt(8) == 0 ? third[i] : third[i - 1];
    }
    long first = random.nextLong(1L << 36) & -1L << 9 * (level + 1);
    return new NodeImage(owner, level, first, indexes, addresses, random.ints(n).toArray(), third);
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer wrap(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void flip(ByteBuffer in, int bit) {
    in.put(bit / 8, (byte) (in.get(bit / 8) ^ 1 << bit % 8));
  }
}

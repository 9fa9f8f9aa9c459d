package io.coppice.engine.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.StorageException;
import io.coppice.engine.check.finding.CheckReport;
import io.coppice.engine.check.finding.Finding;
import io.coppice.engine.check.finding.Severity;
import io.coppice.engine.check.finding.Structure;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.format.BatchHeader;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.NodeImage;
import io.coppice.engine.format.PlacementBits;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.table.AccountTable;
import io.coppice.engine.format.table.SegmentRow;
import io.coppice.engine.format.table.VersionRow;
import io.coppice.engine.testing.MemoryDevice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PoolCheckerTest {

  private static final UsedPool POOL = new UsedPool(4711);

  private final PoolImage image = new PoolImage(POOL.image());

  @Test
  void aPoolThatWasUsedIsClean() {
    CheckReport report = check();
    assertThat(report.findings()).isEmpty();
    assertThat(report.isClean()).isTrue();
    for (String part :
        List.of("volumes", "nodes", "live blocks", "counted blocks", "records", "segments")) {
      assertThat(report.counts().get(part)).as(part).isPositive();
    }
    assertThat(report.counts().get("placements")).isGreaterThan(report.counts().get("live blocks"));
    assertThat(report.counts().get("data blocks read"))
        .isGreaterThan(report.counts().get("placements"));
  }

  @Test
  void sealingWithoutAChangeChangesNothing() {
    byte[] before = image.bytes.clone();
    image.seal();
    assertThat(image.bytes).isEqualTo(before);
  }

  @Test
  void fastLeavesOutTheDataButTheLastBatchs() {
    CheckReport report = PoolChecker.check(new MemoryDevice(image.bytes), true);
    assertThat(report.isClean()).isTrue();
    assertThat(report.counts().get("data blocks read")).isBetween(1L, 4L);
  }

  @Test
  void aFlippedBitInEitherSuperblockIsFoundInItsRing() {
    for (int ring = 0; ring < 2; ring++) {
      PoolImage damaged = new PoolImage(POOL.image());
      long offset = damaged.superblockOffset(ring);
      damaged.bytes[(int) offset + 130] ^= 4;
      assertThat(check(damaged).findings())
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.structure()).isEqualTo(Structure.SUPERBLOCK);
                assertThat(finding.severity()).isEqualTo(Severity.WARNING);
                assertThat(finding.where().offset()).isEqualTo(offset);
              });
    }
  }

  @Test
  void aFlippedBitInTheTablesIsFoundInItsChunk() {
    long offset = image.chunks.getFirst().offset();
    image.bytes[(int) offset + 200] ^= 1;
    assertFound(Structure.CHECKPOINT, offset);
  }

  @Test
  void aFlippedBitInANodeOfAnyLevelIsFoundThere() {
    for (int level = 0; level <= 3; level++) {
      PoolImage damaged = new PoolImage(POOL.image());
      int wanted = level;
      PoolImage.Piece node =
          damaged.nodes.values().stream().filter(n -> n.level() == wanted).findAny().orElseThrow();
      damaged.bytes[(int) node.offset() + 130] ^= 1;
      Finding finding = found(check(damaged), Structure.NODE, node.offset());
      assertThat(finding.where().volume()).isNotNull();
      assertThat(finding.where().lba()).isNotNegative();
    }
  }

  @Test
  void aFlippedBitInTheSecondCopyOfANodeOrOfTheTablesIsAWarning() {
    for (PoolImage.Piece piece : List.of(plainLeaf(), image.chunks.getFirst())) {
      image.bytes[(int) piece.twin() + 130] ^= 1;
      CheckReport report = check();
      assertThat(report.isClean()).isFalse();
      assertThat(report.findings())
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.severity()).isEqualTo(Severity.WARNING);
                assertThat(finding.where().offset()).isEqualTo(piece.offset());
                assertThat(finding.sentence()).contains("read at offset " + piece.twin());
              });
      image.bytes[(int) piece.twin() + 130] ^= 1;
    }
  }

  @Test
  void aSecondZoneThatIsAlsoAnotherSegmentsIsFound() {
    SegmentRow row =
        image.tables.state().segments().stream()
            .filter(r -> r.twin() >= 0)
            .findFirst()
            .orElseThrow();
    SegmentRow other =
        image.tables.state().segments().stream().filter(r -> !r.meta()).findFirst().orElseThrow();
    ByteBuffer chunk = image.chunks.getFirst().view();
    int at = find(chunk, ((long) row.zone() << 32) | row.id());
    chunk.putInt(at + 10, other.zone());
    image.seal();
    assertThat(check().findings())
        .anySatisfy(
            finding -> {
              assertThat(finding.structure()).isEqualTo(Structure.SEGMENT);
              assertThat(finding.sentence()).contains("alone in its second zone");
            });
  }

  @Test
  void aFlippedBitInABlockOfDataIsFoundWithItsVolumeAndAddress() {
    PoolImage.Piece leaf = plainLeaf();
    long offset = image.offsetOf(addressOf(leaf, 5));
    image.bytes[(int) offset + 4095] ^= (byte) 128;
    Finding finding = found(check(), Structure.BLOCK, offset);
    assertThat(finding.where().volume()).isEqualTo(UsedPool.PLAIN.value());
    assertThat(finding.where().lba()).isEqualTo(8L * (7 + 5));
    assertThat(PoolChecker.check(new MemoryDevice(image.bytes), true).isClean()).isTrue();
  }

  @Test
  void twoSwappedBlocksAreFoundAtBothPlaces() {
    PoolImage.Piece leaf = plainLeaf();
    long one = image.offsetOf(addressOf(leaf, 1));
    long other = image.offsetOf(addressOf(leaf, 4));
    swap((int) one, (int) other, PoolLayout.BLOCK);
    CheckReport report = check();
    found(report, Structure.BLOCK, one);
    found(report, Structure.BLOCK, other);
  }

  @Test
  void twoSwappedNodesAreFoundAtBothPlaces() {
    List<PoolImage.Piece> leaves =
        image.nodes.values().stream().filter(n -> n.level() == 0).limit(2).toList();
    swap((int) leaves.get(0).offset(), (int) leaves.get(1).offset(), PoolLayout.BLOCK);
    CheckReport report = check();
    found(report, Structure.NODE, leaves.get(0).offset());
    found(report, Structure.NODE, leaves.get(1).offset());
  }

  @Test
  void aDamagedBatchWithABatchBehindItIsFound() {
    PoolImage.Piece batch = image.batches.get(1);
    image.bytes[(int) batch.offset() + 100] ^= 1;
    assertFound(Structure.LOG, batch.offset());
  }

  @Test
  void aFlippedBitInTheDataOfABatchIsFoundThere() {
    PoolImage.Piece batch = image.batches.getFirst();
    long data = batch.offset() + batch.length();
    image.bytes[(int) data + 17] ^= 1;
    assertFound(Structure.BLOCK, data);
  }

  @Test
  void aTornBatchAtTheEndIsNoFinding() {
    PoolImage.Piece last = image.batches.getLast();
    image.bytes[(int) (last.offset() + last.length())] ^= 1;
    CheckReport report = check();
    assertThat(report.isClean()).isTrue();
    assertThat(report.findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Severity.NOTE));
  }

  @Test
  void aWrongCountWithRightChecksumsIsFound() {
    ByteBuffer chunk = image.chunks.getFirst().view();
    image
        .tables
        .placements()
        .forEach(
            (segment, groups) -> {
              byte[] row = row(segment, groups);
              int at = find(chunk, row);
              for (int block = 0; block < PlacementBits.GROUP; block++) {
                long further = PlacementBits.get(groups[0], block);
                if (further > 0) {
                  long[][] more = {PlacementBits.narrowed(groups[0])};
                  more[0] = PlacementBits.with(more[0], block, further ^ 2);
                  byte[] wrong = row(segment, more);
                  if (wrong.length == row.length) {
                    chunk.put(at, wrong);
                    image.seal();
                    long address = BlockAddress.of(segment, block, 1);
                    Finding finding = found(check(), Structure.COUNT, image.offsetOf(address));
                    assertThat(finding.sentence()).contains("expected " + (1 + (further ^ 2)));
                    wrongCounts++;
                  }
                }
              }
              chunk.put(at, row);
            });
    assertThat(wrongCounts).isPositive();
  }

  private int wrongCounts;

  private static byte[] row(int segment, long[] @Nullable [] groups) {
    ByteSink out = new ByteSink(64).u32(segment);
    PlacementBits.encode(out, groups);
    return out.toBytes();
  }

  private static int find(ByteBuffer chunk, byte[] row) {
    for (int at = 0; at + row.length <= chunk.limit(); at++) {
      byte[] there = new byte[row.length];
      chunk.get(at, there);
      if (Arrays.equals(there, row)) {
        return at;
      }
    }
    throw new AssertionError("expected a row of %d bytes, found none".formatted(row.length));
  }

  @Test
  void rowsOfPlacementsThatCannotBeAreFoundAndRefused() {
    ByteBuffer chunk = image.chunks.getFirst().view();
    List<byte[]> rows = new ArrayList<>();
    image.tables.placements().forEach((id, groups) -> rows.add(row(id, groups)));
    byte[] row = rows.stream().filter(each -> each[8] != 0).findFirst().get();
    byte[] other = rows.stream().filter(each -> !Arrays.equals(each, row)).findFirst().get();
    int at = find(chunk, row);
    int form = row[8];
    Map<String, Runnable> wrong = new LinkedHashMap<>();
    wrong.put("a segment that is not there", () -> chunk.putInt(at, BlockAddress.MAX_SEGMENT));
    wrong.put("a segment twice", () -> chunk.put(at, other, 0, 4));
    wrong.put("no group", () -> chunk.putInt(at + 4, 0));
    wrong.put("groups below none", () -> chunk.putInt(at + 4, -1));
    wrong.put("more groups than a segment has", () -> chunk.putInt(at + 4, 65));
    wrong.put("a form that is none", () -> chunk.put(at + 8, (byte) 3));
    wrong.put("more blocks than a zone has", () -> chunk.put(at + 8 + 32 * form, (byte) 0x80));
    wrong.put("no block", () -> chunk.put(at + 9, new byte[32 * form]));
    wrong.forEach(
        (what, change) -> {
          change.run();
          image.seal();
          assertThat(check().isClean()).as(what).isFalse();
          MemoryDevice device = new MemoryDevice(image.bytes.clone());
          assertThatThrownBy(
                  () ->
                      RedirectOnWriteEngine.open(device, EngineOptions.defaults(), UsedPool.CLOCK))
              .as(what)
              .isInstanceOf(StorageException.Damaged.class)
              .hasMessageContaining("expected ");
          chunk.put(at, row);
        });
  }

  @Test
  void aWrongAccountWithRightChecksumsIsFound() {
    List<AccountTable.Row> rows =
        java.util.Objects.requireNonNull(image.tables.accounts(), "accounts").rows();
    int length = 4 + rows.stream().mapToInt(row -> 24 + 12 * row.hidden().size()).sum();
    PoolImage.Piece last = image.chunks.getLast();
    int at = last.length() - length + 4;
    boolean hides = false;
    for (AccountTable.Row row : rows) {
      assertAccountFound(last, at + 4, row.own(), "version %d's own".formatted(row.version()));
      if (!row.hidden().isEmpty()) {
        hides = true;
        long hidden = last.view().getLong(at + 28);
        assertAccountFound(last, at + 28, hidden, "version %d to hide".formatted(row.version()));
      }
      at += 24 + 12 * row.hidden().size();
    }
    assertThat(hides).isTrue();
  }

  private void assertAccountFound(PoolImage.Piece chunk, int at, long number, String about) {
    chunk.view().putLong(at, number + 1);
    image.seal();
    assertThat(check().findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.structure()).isEqualTo(Structure.COUNT);
              assertThat(finding.sentence()).contains(about);
            });
    chunk.view().putLong(at, number);
    image.seal();
    assertThat(check().isClean()).isTrue();
  }

  @Test
  void anEntryThatPlacesAnothersBlockWithRightChecksumsIsFound() {
    PoolImage.Piece leaf = plainLeaf();
    change(
        leaf,
        (addresses, crcs) -> {
          addresses[2] = addresses[3];
          crcs[2] = crcs[3];
        });
    assertThat(check().findings())
        .anySatisfy(finding -> assertThat(finding.structure()).isEqualTo(Structure.COUNT));
  }

  @Test
  void anEntryIntoAFreeZoneIsFound() {
    PoolImage.Piece leaf = plainLeaf();
    change(leaf, (addresses, _) -> addresses[0] += 1000L << 20);
    assertFound(Structure.NODE, leaf.offset());
  }

  @Test
  void aSecondSegmentInOneZoneIsFound() {
    SegmentRow row = image.tables.state().segments().getLast();
    SegmentRow first = image.tables.state().segments().getFirst();
    ByteBuffer chunk = image.chunks.getFirst().view();
    int at = find(chunk, ((long) row.zone() << 32) | row.id());
    chunk.putInt(at + 4, first.zone());
    image.seal();
    assertThat(check().findings())
        .anySatisfy(finding -> assertThat(finding.structure()).isEqualTo(Structure.SEGMENT));
  }

  @Test
  void aVersionWithoutParentIsFound() {
    VersionRow row =
        image.tables.state().versions().stream()
            .filter(v -> v.parent() != 0)
            .findFirst()
            .orElseThrow();
    ByteBuffer chunk = image.chunks.getFirst().view();
    int at = find(chunk, ((long) row.parent() << 32) | row.id());
    chunk.putInt(at + 4, 77);
    image.seal();
    assertThat(check().findings())
        .anySatisfy(finding -> assertThat(finding.structure()).isEqualTo(Structure.VERSION));
  }

  @Test
  void aNodeThatBelongsToNobodyAboveIsFound() {
    PoolImage.Piece leaf = plainLeaf();
    leaf.view().putInt(48, 99);
    image.seal();
    assertFound(Structure.NODE, leaf.offset());
  }

  @Test
  void aNodeWithAWrongSumBelowItIsFound() {
    PoolImage.Piece root =
        image.nodes.values().stream().filter(n -> n.level() == 3).findAny().orElseThrow();
    int at = NodeImage.HEADER + 12 * root.view().getShort(54);
    root.view().putInt(at, root.view().getInt(at) + 1);
    image.seal();
    assertThat(check().findings())
        .anySatisfy(finding -> assertThat(finding.sentence()).contains("blocks below the node"));
  }

  @Test
  void aRecordThatCannotBeIsFoundInItsBatch() {
    PoolImage.Piece batch = image.batches.getFirst();
    batch.view().putInt(BatchHeader.LENGTH + 4, 12);
    image.seal();
    assertFound(Structure.LOG, batch.offset());
  }

  // ---- how

  private CheckReport check() {
    return check(image);
  }

  private static CheckReport check(PoolImage of) {
    byte[] before = of.bytes.clone();
    CheckReport report = PoolChecker.check(new MemoryDevice(of.bytes), false);
    assertThat(of.bytes).as("what was checked").isEqualTo(before);
    return report;
  }

  private void assertFound(Structure structure, long offset) {
    found(check(), structure, offset);
  }

  private static Finding found(CheckReport report, Structure structure, long offset) {
    assertThat(report.isClean()).isFalse();
    return report.findings().stream()
        .filter(f -> f.structure() == structure && f.where().offset() == offset)
        .findFirst()
        .orElseThrow(
            () ->
                new AssertionError(
                    "expected a finding of %s at %d, found %s"
                        .formatted(structure, offset, report.findings())));
  }

  /// The leaf of a volume without relatives: 12 blocks from block 7 on, one after the other.
  private PoolImage.Piece plainLeaf() {
    return image.nodes.values().stream()
        .filter(node -> node.level() == 0 && node.view().getShort(54) == 12)
        .findFirst()
        .orElseThrow();
  }

  private long addressOf(PoolImage.Piece leaf, int entry) {
    return image.read(leaf).addresses()[entry];
  }

  private void change(PoolImage.Piece leaf, BiConsumer<long[], int[]> change) {
    NodeImage before = image.read(leaf);
    change.accept(before.addresses(), before.crcs());
    image.write(leaf, before);
    image.seal();
  }

  private void swap(int one, int other, int length) {
    byte[] kept = new byte[length];
    System.arraycopy(image.bytes, one, kept, 0, length);
    System.arraycopy(image.bytes, other, image.bytes, one, length);
    System.arraycopy(kept, 0, image.bytes, other, length);
  }

  private static int find(ByteBuffer in, long... values) {
    for (int at = 72; at + 8 * values.length <= in.limit(); at++) {
      boolean all = true;
      for (int i = 0; i < values.length && all; i++) {
        all = in.order(ByteOrder.LITTLE_ENDIAN).getLong(at + 8 * i) == values[i];
      }
      if (all) {
        return at;
      }
    }
    throw new AssertionError("expected the values in the tables, found none");
  }
}

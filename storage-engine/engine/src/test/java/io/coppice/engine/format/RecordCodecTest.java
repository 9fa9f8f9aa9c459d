package io.coppice.engine.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.CloneSpec;
import io.coppice.engine.OperationId;
import io.coppice.engine.RecordChange;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.journal.JournalTier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecordCodecTest {

  private static final long SEED = Long.getLong("test.seed", 5_001L);

  private final SplittableRandom random = new SplittableRandom(SEED);

  @Test
  void aChangeOfEveryKindReadsAsItWasWritten() {
    for (int i = 0; i < 2000; i++) {
      Change change = change(i % 21);
      assertThat(Change.decode(change.encode())).as("seed %d", SEED).isEqualTo(change);
    }
  }

  @Test
  void hostileChangesAreRefusedOrReadAsSomethingElse() {
    Hostile hostile = new Hostile(Change::decode);
    for (int kind = 0; kind < 21; kind++) {
      byte[] bytes = change(kind).encode();
      int before = hostile.refused();
      hostile.truncated(bytes);
      assertThat(hostile.refused() - before).as("kind %d cut short", kind).isEqualTo(bytes.length);
      hostile.flipped(bytes).extreme(bytes).random(bytes, random, 2000);
    }
    assertThat(hostile.tried()).isGreaterThan(30_000);
  }

  @Test
  void aChangeWithMoreBehindItIsRefused() {
    for (int kind = 0; kind < 21; kind++) {
      byte[] bytes = change(kind).encode();
      byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
      assertThatThrownBy(() -> Change.decode(longer)).isInstanceOf(FormatException.class);
    }
  }

  @Test
  void aGroupRevertOfNothingOrOfAVolumeTwiceIsRefused() {
    OperationId operation = new OperationId(uuid());
    List<Change.Reverted> twice = new ArrayList<>(reverted(3));
    twice.add(new Change.Reverted(twice.get(1).volume(), volume()));
    for (List<Change.Reverted> wrong : List.of(List.<Change.Reverted>of(), twice)) {
      byte[] bytes = new Change.GroupRevert(operation, wrong).encode();
      assertThatThrownBy(() -> Change.decode(bytes))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("each once");
    }
  }

  @Test
  void aGroupRevertWithMoreVolumesThanBytesIsRefused() {
    byte[] bytes = new Change.GroupRevert(new OperationId(uuid()), reverted(2)).encode();
    ByteBuffer count = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(count.getInt(17)).isEqualTo(2);
    for (int wrong : new int[] {3, Integer.MAX_VALUE, -1, Integer.MIN_VALUE, 1, 0}) {
      count.putInt(17, wrong);
      assertThatThrownBy(() -> Change.decode(bytes)).isInstanceOf(FormatException.class);
    }
  }

  @Test
  void aRecordOfEveryTypeReadsAsItWasWritten() {
    for (int i = 0; i < 2000; i++) {
      LogRecord record = record(1 + i % 7);
      ByteBuffer bytes = encode(record);
      LogRecord read = LogRecord.decode(bytes);
      assertThat(read).usingRecursiveComparison().as("seed %d", SEED).isEqualTo(record);
      assertThat(bytes.remaining()).isZero();
    }
  }

  /// The other encoder is the one of this test.
  @Test
  void aRecordOfEveryTypeIsWrittenAsAnotherEncoderWritesIt() {
    for (int i = 0; i < 2000; i++) {
      LogRecord record = record(1 + i % 7);
      byte[] expected = encode(record).array();
      ByteBuffer out = ByteBuffer.allocate(expected.length).order(ByteOrder.LITTLE_ENDIAN);
      put(record, out);
      assertThat(out.array()).as("seed %d", SEED).isEqualTo(expected);
      assertThat(out.remaining()).isZero();
    }
  }

  private static void put(LogRecord record, ByteBuffer out) {
    switch (record) {
      case LogRecord.Write w -> {
        int blocks = w.crcs().length;
        LogRecord.beginWrite(out, w.volume(), w.firstBlock(), blocks, w.payloadBlock(), w.flags());
        Arrays.stream(w.crcs()).forEach(out::putInt);
        LogRecord.endWrite(out, blocks);
      }
      case LogRecord.Fill f ->
          LogRecord.putFill(out, f.volume(), f.firstBlock(), f.blocks(), f.payloadBlock(), f.crc());
      case LogRecord.Unmap u -> LogRecord.putUnmap(out, u.volume(), u.firstBlock(), u.blocks());
      case LogRecord.Copy c ->
          LogRecord.putCopy(
              out, c.volume(), c.firstBlock(), c.source(), c.sourceBlock(), c.blocks());
      case LogRecord.Relocate r ->
          LogRecord.putRelocate(out, r.segment(), r.payloadBlock(), r.blocks(), r.crcs());
      case LogRecord.Moved m -> LogRecord.putMoved(out, m);
      case LogRecord.ChangePiece p ->
          LogRecord.putChange(out, p.bytes(), 0, p.bytes().length, p.flags());
    }
  }

  @Test
  void hostileRecordsAreRefusedOrReadAsSomethingElse() {
    Hostile hostile =
        new Hostile(
            bytes -> LogRecord.decode(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)));
    for (int type = 1; type <= 7; type++) {
      byte[] bytes = encode(record(type)).array();
      int before = hostile.refused();
      hostile.truncated(bytes);
      assertThat(hostile.refused() - before).as("type %d cut short", type).isEqualTo(bytes.length);
      hostile.flipped(bytes).extreme(bytes).random(bytes, random, 5000);
    }
    assertThat(hostile.tried()).isGreaterThan(30_000);
  }

  @Test
  void aRecordsLengthMustBeThatOfItsType() {
    for (int type = 1; type <= 7; type++) {
      ByteBuffer bytes = encode(record(type));
      ByteBuffer longer = ByteBuffer.allocate(bytes.limit() + 8).order(ByteOrder.LITTLE_ENDIAN);
      longer.put(0, bytes, 0, bytes.limit());
      longer.putInt(4, bytes.limit() + 8);
      assertThatThrownBy(() -> LogRecord.decode(longer)).isInstanceOf(FormatException.class);
    }
  }

  // ---- what to write

  private Change change(int kind) {
    OperationId operation = new OperationId(uuid());
    return switch (kind) {
      case 0 ->
          new Change.Create(
              operation, new VolumeSpec(volume(), random.nextLong(), flag(), texts()));
      case 1 -> {
        List<SnapshotSpec> specs = new ArrayList<>();
        for (int i = random.nextInt(5); i >= 0; i--) {
          specs.add(new SnapshotSpec(volume(), volume(), texts()));
        }
        yield new Change.Snapshot(operation, specs);
      }
      case 2 -> new Change.Clone(operation, new CloneSpec(volume(), volume(), flag(), texts()));
      case 3 -> new Change.Revert(operation, volume(), volume());
      case 4 -> new Change.Resize(operation, volume(), random.nextLong());
      case 5 -> new Change.Reserve(operation, volume(), flag());
      case 6 -> new Change.Delete(operation, volume());
      case 7 -> new Change.Attributes(operation, volume(), texts(), names());
      case 8 -> {
        List<RecordChange> changes = new ArrayList<>();
        for (int i = random.nextInt(5); i >= 0; i--) {
          changes.add(
              flag() ? new RecordChange.Put(text(), text()) : new RecordChange.Remove(text()));
        }
        yield new Change.Records(operation, changes);
      }
      case 9 -> new Change.Copied(operation, random.nextLong());
      case 10 -> new Change.Stage(operation, volume(), volume());
      case 11 -> new Change.Adopt(operation, volume(), volume(), random.nextLong());
      case 12 -> new Change.Unstage(operation, volume());
      case 13 -> new Change.Keep(operation, volume(), random.nextLong(), tiers());
      case 14 -> new Change.Forget(operation, volume());
      case 15 -> new Change.Cut(operation, random.nextLong(), List.of(random.nextInt(), 7));
      case 16 -> new Change.Draft(operation, random.nextInt(), volume());
      case 17 ->
          new Change.Publish(
              operation, volume(), new CloneSpec(volume(), volume(), flag(), texts()), way());
      case 18 -> new Change.Restore(operation, List.of(restored(), restored()));
      case 19 -> new Change.Trim(operation, random.nextLong(), List.of(random.nextInt(), 3));
      default -> new Change.GroupRevert(operation, reverted(1 + random.nextInt(5)));
    };
  }

  private List<Change.Reverted> reverted(int count) {
    List<Change.Reverted> reverted = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      reverted.add(new Change.Reverted(volume(), volume()));
    }
    return reverted;
  }

  private Change.Restored restored() {
    return new Change.Restored(volume(), volume(), way());
  }

  private Change.Way way() {
    return new Change.Way(random.nextInt(), random.nextLong());
  }

  private List<JournalTier> tiers() {
    List<JournalTier> tiers = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      int every = 1 + random.nextInt(100_000);
      tiers.add(
          new JournalTier(
              Duration.ofSeconds(every), Duration.ofSeconds(every + random.nextInt(1_000_000))));
    }
    return tiers;
  }

  private LogRecord record(int type) {
    int flags = random.nextInt(4);
    return switch (type) {
      case LogRecord.WRITE ->
          new LogRecord.Write(
              random.nextInt(),
              random.nextLong(),
              random.nextInt(),
              random.ints(1 + random.nextInt(20)).toArray(),
              flags);
      case LogRecord.FILL ->
          new LogRecord.Fill(
              random.nextInt(),
              random.nextLong(),
              random.nextInt(),
              random.nextInt(),
              random.nextInt());
      case LogRecord.UNMAP ->
          new LogRecord.Unmap(random.nextInt(), random.nextLong(), random.nextLong());
      case LogRecord.COPY ->
          new LogRecord.Copy(
              random.nextInt(),
              random.nextLong(),
              random.nextInt(),
              random.nextLong(),
              random.nextInt());
      case LogRecord.RELOCATE -> {
        int blocks = 1 + random.nextInt(20);
        yield new LogRecord.Relocate(
            random.nextInt(),
            random.nextInt(),
            random.ints(blocks).toArray(),
            random.ints(blocks).toArray());
      }
      case LogRecord.MOVED -> {
        int blocks = 1 + random.nextInt(20);
        yield new LogRecord.Moved(
            random.nextInt(),
            random.nextInt(),
            random.nextInt(),
            random.nextInt(),
            random.ints(blocks).toArray(),
            random.ints(blocks).toArray());
      }
      default -> {
        byte[] bytes = new byte[random.nextInt(60)];
        random.nextBytes(bytes);
        yield new LogRecord.ChangePiece(bytes, flags);
      }
    };
  }

  private static ByteBuffer encode(LogRecord record) {
    return switch (record) {
      case LogRecord.Write w -> {
        int length = LogRecord.writeLength(w.crcs().length);
        ByteBuffer out = begin(LogRecord.WRITE, w.flags(), length);
        out.putInt(w.volume()).putInt(w.crcs().length).putLong(w.firstBlock());
        out.putInt(w.payloadBlock()).putInt(0);
        for (int crc : w.crcs()) {
          out.putInt(crc);
        }
        yield out.clear();
      }
      case LogRecord.Fill f ->
          begin(LogRecord.FILL, 0, LogRecord.SHORT_LENGTH)
              .putInt(f.volume())
              .putInt(f.blocks())
              .putLong(f.firstBlock())
              .putInt(f.payloadBlock())
              .putInt(f.crc())
              .clear();
      case LogRecord.Unmap u ->
          begin(LogRecord.UNMAP, 0, LogRecord.SHORT_LENGTH)
              .putInt(u.volume())
              .putInt(0)
              .putLong(u.firstBlock())
              .putLong(u.blocks())
              .clear();
      case LogRecord.Copy c ->
          begin(LogRecord.COPY, 0, LogRecord.COPY_LENGTH)
              .putInt(c.volume())
              .putInt(c.source())
              .putLong(c.firstBlock())
              .putLong(c.sourceBlock())
              .putInt(c.blocks())
              .putInt(0)
              .clear();
      case LogRecord.Relocate r -> {
        ByteBuffer out =
            begin(LogRecord.RELOCATE, 0, LogRecord.relocateLength(r.blocks().length))
                .putInt(r.segment())
                .putInt(r.blocks().length)
                .putInt(r.payloadBlock())
                .putInt(0);
        IntStream.concat(Arrays.stream(r.blocks()), Arrays.stream(r.crcs())).forEach(out::putInt);
        yield out.clear();
      }
      case LogRecord.Moved m -> {
        ByteBuffer out =
            begin(LogRecord.MOVED, 0, LogRecord.movedLength(m.blocks().length))
                .putInt(m.segment())
                .putInt(m.blocks().length)
                .putInt(m.zone())
                .putInt(m.owner())
                .putInt(m.first())
                .putInt(0);
        IntStream.concat(Arrays.stream(m.blocks()), Arrays.stream(m.crcs())).forEach(out::putInt);
        yield out.clear();
      }
      case LogRecord.ChangePiece p ->
          begin(LogRecord.CHANGE, p.flags(), LogRecord.changeLength(p.bytes().length))
              .putInt(p.bytes().length)
              .putInt(0)
              .put(p.bytes())
              .clear();
    };
  }

  private static ByteBuffer begin(int type, int flags, int length) {
    ByteBuffer out = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    return out.put((byte) type).put((byte) flags).putShort((short) 0).putInt(length);
  }

  private UUID uuid() {
    return new UUID(random.nextLong(), random.nextLong());
  }

  private VolumeId volume() {
    return new VolumeId(uuid());
  }

  private boolean flag() {
    return random.nextBoolean();
  }

  private String text() {
    String letters = "aZ09 _\"ä\u20ac\uD83C\uDF33";
    int[] points = letters.codePoints().toArray();
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      text.appendCodePoint(points[random.nextInt(points.length)]);
    }
    return text.toString();
  }

  private Map<String, String> texts() {
    Map<String, String> texts = new HashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      texts.put(text(), text());
    }
    return texts;
  }

  private Set<String> names() {
    Set<String> names = new HashSet<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      names.add(text());
    }
    return names;
  }
}

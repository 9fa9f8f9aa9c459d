package io.coppice.scsi;

import static io.coppice.fuzz.Decoder.check;

import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.fuzz.FuzzTarget;
import io.coppice.scsi.cdb.OperationCode;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.DataInRefusedException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Whole commands at the device server, for the fuzzer: a byte that chooses the target, 8 of LUN,
/// the length of the CDB, the CDB, and what is left as Data-Out.
///
/// Whatever comes, there is one answer, not INTERNAL TARGET FAILURE; a command refused as ILLEGAL
/// REQUEST has changed no block; and a volume that this initiator does not reach is never changed.
final class CommandFuzz implements FuzzTarget {

  private static final int SIZE = 1 << 20;
  private static final int LOOKED_AT = 1 << 14;
  private static final int DATA_IN_MAX = 1 << 20;

  /// What these leave behind would be there for the next input: MODE SELECT, RESERVE, PERSISTENT
  /// RESERVE OUT, SET TARGET PORT GROUPS.
  private static final Set<Integer> LASTING = Set.of(0x15, 0x55, 0x16, 0x56, 0x5f, 0xa4);

  private Stage stage = new Stage();

  /// A device server with what the commands find there.
  private static final class Stage {
    final Fixture fixture = new Fixture(new MemoryEngine(), ScsiSettings.defaults());
    final VolumeId plain = fixture.exported(SIZE);
    final VolumeId bound = fixture.volume(SIZE);
    final VolumeId elsewhere = fixture.volume(SIZE);
    final Initiator toPlain;
    final Initiator toEndpoints;

    Stage() {
      fixture.bound(bound);
      fixture.luns().export(Fixture.op(), elsewhere, Optional.of(1), false, Set.of(Fixture.OTHER));
      toPlain = fixture.plain();
      toEndpoints = fixture.endpoints();
      toPlain.use(Stage::memory);
      toEndpoints.use(Stage::memory);
    }

    private static ByteBuffer memory(int length) {
      if (length > DATA_IN_MAX) {
        throw new DataInRefusedException(length);
      }
      return ByteBuffer.allocateDirect(length);
    }

    /// The beginning and the end of both volumes, where nearly all commands go.
    byte[] content() {
      byte[] all = new byte[4 * LOOKED_AT];
      ByteBuffer.wrap(all)
          .put(read(plain, 0))
          .put(read(plain, SIZE - LOOKED_AT))
          .put(read(bound, 0))
          .put(read(bound, SIZE - LOOKED_AT));
      return all;
    }

    boolean isUntouched(VolumeId volume) {
      ByteBuffer blocks = read(volume, 0);
      while (blocks.hasRemaining()) {
        if (blocks.getLong() != 0) {
          return false;
        }
      }
      return true;
    }

    private ByteBuffer read(VolumeId volume, int from) {
      ByteBuffer blocks = ByteBuffer.allocateDirect(LOOKED_AT);
      fixture.engine.open(volume).read(from, blocks);
      return blocks.clear();
    }
  }

  static List<FuzzTarget> targets() {
    return List.of(new CommandFuzz());
  }

  @Override
  public String name() {
    return "command";
  }

  @Override
  public List<byte[]> seeds() {
    List<byte[]> seeds = new ArrayList<>();
    for (OperationCode operation : OperationCode.values()) {
      byte[] cdb = new byte[operation.cdbLength()];
      cdb[0] = (byte) operation.opcode();
      cdb[1] = (byte) operation.serviceAction();
      seeds.add(input(0, 0, cdb, 0));
      cdb[
              switch (cdb.length) {
                case 6 -> 4;
                case 10 -> 8;
                case 12 -> 9;
                default -> 13;
              }] =
          24;
      seeds.add(input(0, 0, cdb, 24));
      seeds.add(input(1, 0x0001_d200_0001_0000L, cdb, 512));
    }
    return seeds;
  }

  private static byte[] input(int target, long lun, byte[] cdb, int data) {
    return ByteBuffer.allocate(10 + cdb.length + data)
        .put((byte) target)
        .putLong(lun)
        .put((byte) cdb.length)
        .put(cdb)
        .array();
  }

  @Override
  public List<byte[]> tokens() {
    return Arrays.stream(OperationCode.values()).map(OperationCode::usage).toList();
  }

  @Override
  public int lengthMax() {
    return 3000;
  }

  @Override
  public Bounds bounds() {
    return new Bounds(8 << 20, 4096, 200_000, 100);
  }

  @Override
  public long share(long inputs) {
    return Math.max(1, inputs / 5);
  }

  @Override
  public String run(byte[] input) {
    if (input.length < 10) {
      return "nothing";
    }
    ByteBuffer in = ByteBuffer.wrap(input);
    Initiator initiator = (in.get() & 1) == 0 ? stage.toPlain : stage.toEndpoints;
    String lun = "%016x".formatted(in.getLong());
    byte[] cdb = new byte[Math.min(in.get() & 0xff, in.remaining())];
    in.get(cdb);
    byte[] data = new byte[in.remaining()];
    in.get(data);
    byte[] before = stage.content();
    Initiator.Reply reply = initiator.send(lun, HexFormat.of().formatHex(cdb), data);
    check(!reply.code().endsWith("44/00"), "no INTERNAL TARGET FAILURE", reply);
    if (reply.code().startsWith("5/")) {
      check(
          Arrays.equals(before, stage.content()),
          "no block changed by what was refused",
          reply.code());
    }
    check(stage.isUntouched(stage.elsewhere), "a volume out of reach to stay as it is", reply);
    if (cdb.length > 0 && LASTING.contains(cdb[0] & 0xff) && reply.code().isEmpty()) {
      close();
      stage = new Stage();
    }
    return reply.status() + " " + reply.code();
  }

  @Override
  public void close() {
    stage.fixture.close();
  }
}

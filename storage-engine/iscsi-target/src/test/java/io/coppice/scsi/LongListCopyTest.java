package io.coppice.scsi;

import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Tokens.fill;
import static io.coppice.scsi.Tokens.read;
import static io.coppice.scsi.Tokens.state;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.testing.Await;
import io.coppice.scsi.Initiator.Reply;
import io.coppice.scsi.transport.ScsiStatus;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// EXTENDED COPY (LID4) and segments in bytes (SPC-4 §6.4).
class LongListCopyTest {

  private static final String LUN_1 = "0001000000000000";
  private static final long MIB = 1 << 20;

  private final Fixture fixture = new Fixture();
  private Initiator host;
  private String first;
  private String second;

  @BeforeEach
  void export() {
    fixture.exported(512 * MIB);
    fixture.exported(512 * MIB);
    host = fixture.plain();
    host.settle(LUN_1);
    first = device(LUN_0);
    second = device(LUN_1);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void segmentsAreCopiedAndTheStatusHasTheLongForm() {
    fill(host, LUN_0, 0, 128, 0x5a);

    Reply reply =
        copy(7, "00", first + second, blocks(1, 2, 128, 0, 512) + blocks(2, 1, 8, 512, 8));

    assertThat(reply.status()).as(reply.code()).isEqualTo(ScsiStatus.GOOD);
    assertThat(read(host, LUN_1, 512, 128)).containsOnly(0x5a);
    assertThat(host.send(LUN_0, "84 05 00000007 00000000 00000100 00 00").hex())
        .isEqualTo(
            "0000001c"
                + "0101"
                + "0002"
                + "fffffffe"
                + "00000000"
                + "%016x".formatted(136 * 512)
                + "0002"
                + "00".repeat(6));
    assertThat(host.send(LUN_0, "84 00 07 00000000000000 00000010 00 00").hex())
        .as("by the short form of the same identifier")
        .isEqualTo("00000008" + "01" + "0002" + "01" + "00000044");
  }

  @Test
  void immediateCopyIsAnsweredAndGoesOn() {
    fill(host, LUN_0, 0, 128, 0x5b);

    Reply reply = copy(8, "01", first + second, blocks(1, 2, 128, 0, 0));

    assertThat(reply.status()).as(reply.code()).isEqualTo(ScsiStatus.GOOD);
    Await.until("end", () -> state(host, LUN_0, 8).equals("01"));
    assertThat(read(host, LUN_1, 0, 128)).containsOnly(0x5b);
  }

  /// A ROD as source: optional, not in the list of VPD page 8Fh, and nothing is copied before it.
  @Test
  void rodDescriptorIsRefused() {
    fill(host, LUN_0, 0, 8, 0x5d);
    String rod = "fe000000" + "0001" + "0000" + "00800000" + "00".repeat(20);

    Reply reply =
        copy(9, "00", first + second + rod, blocks(1, 2, 8, 0, 0) + blocks(3, 2, 8, 0, 8));

    assertThat(reply.code()).isEqualTo("5/26/07");
    assertThat(read(host, LUN_1, 0, 16)).containsOnly(0);
  }

  @Test
  void commandsOwnUnitNeedsNoDescriptor() {
    fill(host, LUN_0, 0, 8, 0x5c);

    Reply reply =
        copy(9, "00", second, blocks(0xffff, 1, 8, 0, 0) + blocks(0xffff, 0xffff, 8, 0, 8));

    assertThat(reply.status()).as(reply.code()).isEqualTo(ScsiStatus.GOOD);
    assertThat(read(host, LUN_1, 0, 8)).containsOnly(0x5c);
    assertThat(read(host, LUN_0, 8, 8)).containsOnly(0x5c);
  }

  @Test
  void unlistedDescriptorAbortsTheCopy() {
    assertThat(copy(9, "00", first, blocks(0, 1, 8, 0, 0)).code()).isEqualTo("a/08/04");
    assertThat(copy(9, "00", first, blocks(1, 2, 8, 0, 0)).code()).isEqualTo("a/08/04");
    assertThat(host.send(LUN_0, "84 05 00000009 00000000 00000100 00 00").hex(4, 6))
        .isEqualTo("0102");
  }

  /// 02h ends at 65535 blocks, 32 MiB; 0Ah reaches MAXIMUM SEGMENT LENGTH.
  @Test
  void segmentInBytesMayBe256MibLong() {
    fill(host, LUN_0, 8, 8, 0x5d);
    fill(host, LUN_0, 256 * 2048, 8, 0x5e);

    Reply reply = copy(10, "00", first + second, bytes(1, 2, 256 * MIB, 8, 0));
    Reply longer = copy(11, "00", first + second, bytes(1, 2, 256 * MIB + 512, 0, 0));

    assertThat(reply.status()).as(reply.code()).isEqualTo(ScsiStatus.GOOD);
    assertThat(read(host, LUN_1, 0, 8)).containsOnly(0x5d);
    assertThat(read(host, LUN_1, 256 * 2048 - 8, 8)).containsOnly(0x5e);
    assertThat(longer.code()).isEqualTo("a/00/00");
  }

  /// Descriptor type 0Ah: what lies beside the bytes stays.
  @Test
  void bytesAreCopiedFromAnyOffsetToAnyOffset() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    byte[] one = new byte[1024 * 512];
    byte[] other = new byte[1024 * 512];
    random.nextBytes(one);
    random.nextBytes(other);
    host.send(LUN_0, "8a 00 0000000000000000 00000400 00 00", one);
    host.send(LUN_1, "8a 00 0000000000000000 00000400 00 00", other);
    for (int i = 0; i < 30; i++) {
      int length = random.nextInt(i % 2 == 0 ? 2000 : 300_000);
      int from = random.nextInt(one.length - length);
      int to = random.nextInt(other.length - length);

      Reply reply =
          copy(
              i,
              "00",
              first + second,
              bytes(1, 2, length, from / 512, to / 512).substring(0, 56)
                  + "%04x%04x".formatted(from % 512, to % 512));

      assertThat(reply.status()).as("seed %d, %s", seed, reply.code()).isEqualTo(ScsiStatus.GOOD);
      System.arraycopy(one, from, other, to, length);
      assertThat(read(host, LUN_1, 0, 1024)).as("seed %d, copy %d", seed, i).isEqualTo(other);
    }
  }

  @Test
  void overlapInOneUnitAbortsTheCopy() {
    assertThat(copy(1, "00", first, bytes(1, 1, 128 * MIB, 0, 8)).code()).isEqualTo("a/21/00");
    assertThat(copy(1, "00", first, bytes(1, 1, 128 * MIB, 0, 262_144)).code()).isEmpty();
  }

  @Test
  void limitsOf8DevicesAnd64SegmentsHoldForBothForms() {
    fill(host, LUN_0, 0, 64, 0x5f);
    StringBuilder segments = new StringBuilder();
    for (int i = 0; i < 64; i++) {
      segments.append(blocks(1, 8, 1, i, 1000 + 2 * i));
    }

    Reply reply = copy(12, "00", first.concat(second.repeat(7)), segments.toString());
    Reply more = copy(12, "00", first.concat(second), segments + blocks(1, 2, 1, 0, 0));

    assertThat(reply.status()).as(reply.code()).isEqualTo(ScsiStatus.GOOD);
    assertThat(read(host, LUN_1, 1126, 1)).containsOnly(0x5f);
    assertThat(more.code()).isEqualTo("5/26/08");
  }

  private String device(String lun) {
    String name = host.send(lun, "12 01 83 00 ff 00").hex(8, 24);
    return "e4000000" + "01030010" + name + "00000000" + "00000200";
  }

  private static String blocks(int from, int to, int blocks, long lba, long toLba) {
    return "02000018%04x%04x0000%04x%016x%016x".formatted(from, to, blocks, lba, toLba);
  }

  private static String bytes(int from, int to, long bytes, long lba, long toLba) {
    return "0a00001c%04x%04x%08x%016x%016x00000000".formatted(from, to, bytes, lba, toLba);
  }

  /// @param flags byte 15
  private Reply copy(int list, String flags, String devices, String segments) {
    String hex =
        "01000020%s%sff000000%08x%s%04x%04x0000"
                .formatted(
                    "00".repeat(11),
                    flags,
                    list,
                    "00".repeat(18),
                    devices.length() / 2,
                    segments.length() / 2)
            + devices
            + segments;
    return host.send(
        LUN_0,
        "83 01 0000000000000000 %08x 00 00".formatted(hex.length() / 2),
        HexFormat.of().parseHex(hex));
  }
}

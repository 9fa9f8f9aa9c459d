package io.coppice.scsi;

import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static io.coppice.scsi.Fixture.op;
import static io.coppice.scsi.Tokens.ZEROS;
import static io.coppice.scsi.Tokens.fill;
import static io.coppice.scsi.Tokens.make;
import static io.coppice.scsi.Tokens.populate;
import static io.coppice.scsi.Tokens.range;
import static io.coppice.scsi.Tokens.read;
import static io.coppice.scsi.Tokens.receive;
import static io.coppice.scsi.Tokens.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.Initiator.Reply;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.unit.OffloadLedger;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// POPULATE TOKEN and WRITE USING TOKEN (SBC-4 §5.12, §5.59).
class TokenCopyTest {

  private static final String LUN_1 = "0001000000000000";
  private static final int BLOCKS = 2048;

  private final Fixture fixture = new Fixture();
  private VolumeId source;
  private VolumeId destination;
  private Initiator host;

  @BeforeEach
  void export() {
    source = fixture.exported(BLOCKS * 512);
    destination = fixture.exported(BLOCKS * 512);
    host = fixture.plain();
    host.settle(LUN_1);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void dataOfATokenIsWrittenRangeByRange() {
    fill(host, LUN_0, 0, 8, 0x11);
    fill(host, LUN_0, 100, 8, 0x22);
    String token = make(host, LUN_0, 1, range(0, 8) + range(100, 8));

    Reply reply = write(host, LUN_1, 2, token, range(50, 4) + range(10, 12));

    assertThat(reply.status()).as(reply.code()).isEqualTo(ScsiStatus.GOOD);
    assertThat(read(host, LUN_1, 50, 4)).containsOnly(0x11);
    assertThat(read(host, LUN_1, 10, 4)).containsOnly(0x11);
    assertThat(read(host, LUN_1, 14, 8)).containsOnly(0x22);
    assertThat(read(host, LUN_1, 22, 4)).containsOnly(0);
    assertThat(receive(host, LUN_1, 2).hex())
        .isEqualTo(
            "00000020"
                + "1101"
                + "0003"
                + "fffffffe"
                + "000000f1"
                + "0000000000000010"
                + "0000"
                + "00".repeat(6)
                + "00000000");
  }

  @Test
  void tokenNamesItsUnitAndItsSize() {
    String naa = host.send(LUN_0, "12 01 83 00 ff 00").hex(8, 24);

    String token = make(host, LUN_0, 1, range(0, 8) + range(100, 8));

    assertThat(token).startsWith("00800000" + "000001f8");
    assertThat(token.substring(32, 80)).isEqualTo("e4000000" + "01030010" + naa);
    assertThat(token.substring(96, 128)).isEqualTo("%032x".formatted(16 * 512));
    assertThat(token.substring(512)).isNotEqualTo(make(host, LUN_0, 1, range(0, 8)).substring(512));
  }

  /// The point in time: whatever is written to the source later, by anybody.
  @Test
  void tokenStandsForWhatTheSourceWasWhenItWasMade() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    byte[] model = new byte[BLOCKS * 512];
    byte[] target = new byte[BLOCKS * 512];
    for (int round = 0; round < 40; round++) {
      scribble(random, model);
      long lba = random.nextInt(BLOCKS - 64);
      int first = 1 + random.nextInt(32);
      long second = lba + first + random.nextInt(16);
      int more = 1 + random.nextInt(16);
      String token = make(host, LUN_0, round, range(second, more) + range(lba, first));
      byte[] data = join(part(model, second, more), part(model, lba, first));
      scribble(random, model);
      int offset = random.nextInt(first + more);
      int blocks = 1 + random.nextInt(first + more - offset);
      long to = random.nextInt(BLOCKS - 64);

      Reply reply = write(host, LUN_1, 1000 + round, "00", offset, token, range(to, blocks));

      assertThat(reply.status()).as("seed %d, %s", seed, reply.code()).isEqualTo(ScsiStatus.GOOD);
      System.arraycopy(data, offset * 512, target, (int) to * 512, blocks * 512);
      assertThat(read(host, LUN_1, 0, BLOCKS))
          .as("seed %d, round %d", seed, round)
          .isEqualTo(target);
      assertThat(read(host, LUN_0, 0, BLOCKS))
          .as("seed %d, round %d", seed, round)
          .isEqualTo(model);
    }
  }

  private void scribble(Random random, byte[] model) {
    for (int i = 0; i < 8; i++) {
      int lba = random.nextInt(BLOCKS - 32);
      int blocks = 1 + random.nextInt(32);
      byte value = (byte) random.nextInt();
      fill(host, LUN_0, lba, blocks, value);
      Arrays.fill(model, lba * 512, (lba + blocks) * 512, value);
    }
  }

  private static byte[] part(byte[] from, long lba, int blocks) {
    return Arrays.copyOfRange(from, (int) lba * 512, ((int) lba + blocks) * 512);
  }

  private static byte[] join(byte[] one, byte[] two) {
    byte[] both = Arrays.copyOf(one, one.length + two.length);
    System.arraycopy(two, 0, both, one.length, two.length);
    return both;
  }

  @Test
  void rangesMayLieInTheSourceItself() {
    fill(host, LUN_0, 0, 16, 0x33);
    String token = make(host, LUN_0, 1, range(0, 16));

    assertThat(write(host, LUN_0, 2, token, range(8, 16)).status()).isEqualTo(ScsiStatus.GOOD);

    assertThat(read(host, LUN_0, 0, 24)).containsOnly(0x33);
    assertThat(read(host, LUN_0, 24, 1)).containsOnly(0);
  }

  @Test
  void zeroTokenZeroes() {
    fill(host, LUN_1, 0, 32, 0x44);

    Reply reply = write(host, LUN_1, 1, "00", 77, ZEROS, range(8, 8));

    assertThat(reply.status()).as(reply.code()).isEqualTo(ScsiStatus.GOOD);
    assertThat(read(host, LUN_1, 0, 8)).containsOnly(0x44);
    assertThat(read(host, LUN_1, 8, 8)).containsOnly(0);
    assertThat(read(host, LUN_1, 16, 16)).containsOnly(0x44);
  }

  /// SBC-4 §5.59.2: as many whole blocks as the token has, and the status says how many.
  @Test
  void moreThanTheTokenHasIsCutShort() {
    fill(host, LUN_0, 0, 8, 0x55);
    String token = make(host, LUN_0, 1, range(0, 8));

    Reply reply = write(host, LUN_1, 2, "00", 6, token, range(0, 4) + range(10, 4));

    assertThat(reply.status()).isEqualTo(ScsiStatus.GOOD);
    assertThat(read(host, LUN_1, 0, 2)).containsOnly(0x55);
    assertThat(read(host, LUN_1, 2, 30)).containsOnly(0);
    assertThat(receive(host, LUN_1, 2).hex(4, 6)).isEqualTo("1103");
    assertThat(receive(host, LUN_1, 2).hex(16, 24)).isEqualTo("%016x".formatted(2));
  }

  @Test
  void tokenIsToldOnce() {
    populate(host, LUN_0, 1, range(0, 8));

    Reply cut = host.send(LUN_0, "84 07 00000001 00000000 00000020 00 00");
    Reply first = receive(host, LUN_0, 1);
    Reply second = receive(host, LUN_0, 1);

    assertThat(cut.data()).hasSize(32);
    assertThat(first.data()).hasSize(550);
    assertThat(second.code()).isEqualTo("5/24/00");
  }

  @Test
  void anyInitiatorThatHasTheTokenMayUseIt() {
    fill(host, LUN_0, 0, 8, 0x66);
    String token = make(host, LUN_0, 1, range(0, 8));
    Initiator other = new Initiator(fixture.target.plain(), OTHER);
    other.settle(LUN_1);

    assertThat(write(other, LUN_1, 1, token, range(0, 8)).status()).isEqualTo(ScsiStatus.GOOD);

    assertThat(read(other, LUN_1, 0, 8)).containsOnly(0x66);
  }

  @Test
  void typesThatAreAskedForAreMade() {
    assertThat(typed("00800000")).startsWith("00800000");
    assertThat(typed("00800001")).startsWith("00800001");
    assertThat(typed("00800002")).startsWith("00800002");
    assertThat(typed("0080ffff")).startsWith("00800002");
    for (String refused : new String[] {"00000000", "00010000", "ffff0001", "fffffff0"}) {
      assertThat(populate(host, LUN_0, 1, "02", "00000000" + refused, range(0, 8)).code())
          .as(refused)
          .isEqualTo("5/26/00");
    }
  }

  private String typed(String type) {
    populate(host, LUN_0, 1, "02", "00000000" + type, range(0, 8));
    return Tokens.token(host, LUN_0, 1);
  }

  @Test
  void badTokensAreRefusedWithTheirCause() {
    String token = make(host, LUN_0, 1, range(0, 8));
    int id = 16;
    int device = 256;

    assertThat(using(token.substring(0, 12) + "01f0" + token.substring(16))).isEqualTo("5/23/0a");
    assertThat(using("00010000" + token.substring(8))).isEqualTo("5/23/01");
    assertThat(using("0080ffff" + token.substring(8))).isEqualTo("5/23/01");
    assertThat(using(token.substring(0, device) + "00".repeat(384))).isEqualTo("5/23/05");
    assertThat(using(token.substring(0, device + 8) + "6" + "f".repeat(15) + token.substring(280)))
        .isEqualTo("5/23/02");
    assertThat(using(token.substring(0, id) + "0".repeat(16) + token.substring(32)))
        .isEqualTo("5/23/04");
    assertThat(using(token.substring(0, 1022) + (token.endsWith("00") ? "01" : "00")))
        .isEqualTo("5/23/05");
    assertThat(using("00800002" + token.substring(8))).isEqualTo("5/23/05");
    assertThat(read(host, LUN_1, 0, 16)).containsOnly(0);
    assertThat(using(token)).isEmpty();
  }

  private String using(String token) {
    return write(host, LUN_1, 9, token, range(0, 8)).code();
  }

  @Test
  void offsetBeyondTheTokenIsRefused() {
    String token = make(host, LUN_0, 1, range(0, 8));

    assertThat(write(host, LUN_1, 1, "00", 8, token, range(0, 1)).code()).isEqualTo("5/26/00");
    assertThat(write(host, LUN_1, 1, "00", -1, token, range(0, 1)).code()).isEqualTo("5/26/00");
    assertThat(write(host, LUN_1, 1, "00", 7, token, range(0, 1)).code()).isEmpty();
  }

  @Test
  void tokenThatItsUserDeletesIsGone() {
    String token = make(host, LUN_0, 1, range(0, 8));

    assertThat(write(host, LUN_1, 1, "02", 0, token, range(0, 4)).code()).isEmpty();

    assertThat(using(token)).isEqualTo("5/23/09");
  }

  @Test
  void rangesOutsideTheUnitAndThoseThatOverlapAreRefused() {
    assertThat(populate(host, LUN_0, 1, range(BLOCKS - 1, 2)).code()).isEqualTo("5/21/00");
    assertThat(populate(host, LUN_0, 1, range(-1, 1)).code()).isEqualTo("5/21/00");
    assertThat(populate(host, LUN_0, 1, range(8, 8) + range(0, 9)).code()).isEqualTo("5/26/00");
    String token = make(host, LUN_0, 1, range(0, 8));
    assertThat(write(host, LUN_1, 1, token, range(BLOCKS, 1)).code()).isEqualTo("5/21/00");
    assertThat(write(host, LUN_1, 1, token, range(3, 1) + range(3, 1)).code()).isEqualTo("5/26/00");
    assertThat(populate(host, LUN_0, 1, range(0, 1).repeat(65)).code()).isEqualTo("5/26/08");
  }

  @Test
  void nothingIsDoneForAnEmptyList() {
    assertThat(host.send(LUN_0, Tokens.cdb("10", 1, 0)).status()).isEqualTo(ScsiStatus.GOOD);
    assertThat(host.send(LUN_0, Tokens.cdb("11", 1, 0)).status()).isEqualTo(ScsiStatus.GOOD);
    assertThat(receive(host, LUN_0, 1).code()).isEqualTo("5/24/00");
  }

  @Test
  void longTimeoutIsRefused() {
    assertThat(populate(host, LUN_0, 1, "00", "00000259" + "00000000", range(0, 8)).code())
        .isEqualTo("5/26/00");
    assertThat(populate(host, LUN_0, 1, "00", "00000258" + "00000000", range(0, 8)).code())
        .isEmpty();
  }

  @Test
  void readOnlyUnitIsASourceAndNoDestination() {
    fill(host, LUN_0, 0, 8, 0x77);
    fixture.luns().unexport(op(), source);
    fixture.luns().export(op(), source, Optional.of(0), true, Set.of(Fixture.ESX));
    host.settle(LUN_0);
    host.settle(LUN_1);
    String token = make(host, LUN_0, 1, range(0, 8));

    assertThat(write(host, LUN_0, 2, token, range(8, 8)).code()).isEqualTo("7/27/00");
    assertThat(write(host, LUN_1, 2, token, range(8, 8)).code()).isEmpty();
    assertThat(read(host, LUN_1, 8, 8)).containsOnly(0x77);
  }

  @Test
  void reservationsOfOthersConflict() {
    String token = make(host, LUN_0, 1, range(0, 8));
    Initiator other = new Initiator(fixture.target.plain(), OTHER);
    other.settle(LUN_0);
    other.settle(LUN_1);
    other.send(LUN_0, "16 00 00 00 00 00");
    other.send(LUN_1, "16 00 00 00 00 00");

    assertThat(populate(host, LUN_0, 1, range(0, 8)).status())
        .isEqualTo(ScsiStatus.RESERVATION_CONFLICT);
    assertThat(write(host, LUN_1, 1, token, range(0, 8)).status())
        .isEqualTo(ScsiStatus.RESERVATION_CONFLICT);
  }

  @Test
  void whatTokensSpareIsCountedWhereItIsWritten() {
    String token = make(host, LUN_0, 1, range(0, 8));
    write(host, LUN_1, 1, token, range(0, 8));
    write(host, LUN_1, 1, "00", 6, token, range(0, 8));
    write(host, LUN_1, 1, ZEROS, range(0, 8));

    assertThat(fixture.target.offloads().get(destination).of(Fixture.ESX).orElseThrow())
        .containsOnly(
            Map.entry(
                OffloadLedger.Kind.TOKEN_COPY,
                new OffloadLedger.Entry(3, (2 * 8 + 2 * 2 + 8) * 512)));
    assertThat(fixture.target.offloads().get(source).entries()).isEmpty();
  }
}

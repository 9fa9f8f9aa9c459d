package io.coppice.scsi.parameter;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.scsi.cdb.Cdb;
import io.coppice.scsi.page.ModePages;
import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.sense.SenseData;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

public class ParameterListsTest {

  private static final UnmapList.Limits UNMAP = new UnmapList.Limits(2, 1000);
  private static final CopyList.Limits COPY = new CopyList.Limits(2, 2);
  private static final String NAA = "602c0b11111111112222222222222222";
  private static final String DEVICE = "e4000000" + "01030010" + NAA + "00000000" + "00000200";
  private static final String SEGMENT =
      "02000018" + "00000001" + "00000800" + "0000000000000010" + "0000000000000020";

  @Test
  void unmapRunsAreDecodedInOrder() {
    String list =
        "00260020"
            + "00000000"
            + "0000000000000010"
            + "00000008"
            + "00000000"
            + "0000000000000100"
            + "00000000"
            + "00000000";

    assertThat(unmap(list, 40))
        .isEqualTo(
            new UnmapList.Runs(List.of(new UnmapList.Run(0x10, 8), new UnmapList.Run(0x100, 0))));
  }

  @Test
  void unmapOfNothingIsFine() {
    assertThat(unmap("", 0)).isEqualTo(new UnmapList.Runs(List.of()));
    assertThat(unmap("0006000000000000", 8)).isEqualTo(new UnmapList.Runs(List.of()));
  }

  @Test
  void unmapListShorterThanItsHeaderIsRefused() {
    SenseData length = SenseData.illegalRequest(AdditionalSense.PARAMETER_LIST_LENGTH_ERROR);

    assertThat(unmap("00060000000000", 8)).isEqualTo(new UnmapList.Refused(length));
    assertThat(unmap("0006000000000000", 7)).isEqualTo(new UnmapList.Refused(length));
  }

  @Test
  void unmapDescriptorCutShortIsIgnored() {
    assertThat(unmap("00160010" + "00000000" + "0000000000000010", 24))
        .isEqualTo(new UnmapList.Runs(List.of()));
  }

  @Test
  void unmapBeyondTheLimitsIsRefused() {
    String many =
        "00360030" + "00000000" + ("0000000000000010" + "00000001" + "00000000").repeat(3);
    String large = "00160010" + "00000000" + "0000000000000010" + "000003e9" + "00000000";

    assertThat(unmap(many, 56)).isEqualTo(new UnmapList.Refused(SenseData.invalidParameter(2)));
    assertThat(unmap(large, 24)).isEqualTo(new UnmapList.Refused(SenseData.invalidParameter(16)));
  }

  @Test
  void copyPlanIsDecoded() {
    assertThat(copy(header(2, 1) + DEVICE + DEVICE + SEGMENT))
        .isEqualTo(
            new CopyList.Plan(
                7,
                true,
                false,
                List.of(
                    new CopyList.Device(0x602c0b1111111111L, 0x2222222222222222L),
                    new CopyList.Device(0x602c0b1111111111L, 0x2222222222222222L)),
                List.of(new CopyList.Segment(0, 1, 0x100000, 0x2000, 0x4000))));
  }

  @Test
  void copyOfNothingIsFine() {
    assertThat(copy("")).isEqualTo(new CopyList.Plan(0, false, false, List.of(), List.of()));
    assertThat(copy(header(0, 0)))
        .isEqualTo(new CopyList.Plan(7, true, false, List.of(), List.of()));
  }

  @Test
  void copyListWithTooMuchIsRefused() {
    assertThat(copy(header(3, 0) + DEVICE.repeat(3)))
        .isEqualTo(refused(AdditionalSense.TOO_MANY_CSCD_DESCRIPTORS));
    assertThat(copy(header(0, 3) + SEGMENT.repeat(3)))
        .isEqualTo(refused(AdditionalSense.TOO_MANY_SEGMENT_DESCRIPTORS));
    assertThat(copy(header(3, 3) + DEVICE.repeat(3) + SEGMENT.repeat(3)))
        .isEqualTo(refused(AdditionalSense.PARAMETER_LIST_LENGTH_ERROR));
  }

  @Test
  void copyListCutShortIsRefused() {
    assertThat(copy(header(2, 1) + DEVICE + DEVICE + SEGMENT.substring(2)))
        .isEqualTo(refused(AdditionalSense.PARAMETER_LIST_LENGTH_ERROR));
    assertThat(copy("00".repeat(15)))
        .isEqualTo(refused(AdditionalSense.PARAMETER_LIST_LENGTH_ERROR));
  }

  @Test
  void unsupportedCopyDescriptorsAreRefused() {
    assertThat(copy(header(1, 0) + "e0" + DEVICE.substring(2)))
        .isEqualTo(refused(AdditionalSense.UNSUPPORTED_CSCD_DESCRIPTOR_TYPE));
    assertThat(copy(header(1, 1) + DEVICE + "0c" + SEGMENT.substring(2)))
        .isEqualTo(refused(AdditionalSense.UNSUPPORTED_SEGMENT_DESCRIPTOR_TYPE));
    assertThat(copy(header(1, 0) + "e420" + DEVICE.substring(4)))
        .isEqualTo(new CopyList.Refused(SenseData.invalidParameter(20)));
    assertThat(copy(header(0, 1) + "02000010" + SEGMENT.substring(8)))
        .isEqualTo(new CopyList.Refused(SenseData.invalidParameter(18)));
  }

  @Test
  void randomListsNeverThrow() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 100_000; i++) {
      byte[] list = new byte[random.nextInt(160)];
      random.nextBytes(list);
      if (list.length > 16 && random.nextBoolean()) {
        list[2] = 0;
        list[3] = (byte) (32 * random.nextInt(4));
        list[8] = 0;
        list[9] = 0;
        list[10] = 0;
        list[12] = list[13] = list[14] = list[15] = 0;
        list[16] = (byte) 0xe4;
      }
      int length = random.nextBoolean() ? list.length : random.nextInt();
      int given = Math.max(0, length);
      assertThat(UnmapList.decode(ByteBuffer.wrap(list), given, UNMAP))
          .as("seed %d", seed)
          .isNotNull();
      assertThat(CopyList.decode(ByteBuffer.wrap(list), given, COPY))
          .as("seed %d", seed)
          .isNotNull();
      assertThat(RangeList.decodePopulate(ByteBuffer.wrap(list), given, RANGES))
          .as("seed %d", seed)
          .isNotNull();
      assertThat(PortGroupList.decode(ByteBuffer.wrap(list), given, 1))
          .as("seed %d", seed)
          .isNotNull();
      assertThat(ReserveList.decode(ByteBuffer.wrap(list), given)).as("seed %d", seed).isNotNull();
      assertThat(ReserveList.decodeMove(ByteBuffer.wrap(list), given))
          .as("seed %d", seed)
          .isNotNull();
      Cdb.ModeSelect select = new Cdb.ModeSelect(random.nextBoolean(), random.nextBoolean(), given);
      assertThat(ModeList.decode(ByteBuffer.wrap(list), select, 2048, ModePages.Values.DEFAULT))
          .as("seed %d", seed)
          .isNotNull();
    }
  }

  @Test
  void randomLongListsNeverThrow() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 50_000; i++) {
      byte[] list = new byte[random.nextInt(700)];
      random.nextBytes(list);
      ByteBuffer at = ByteBuffer.wrap(list);
      if (list.length > 600 && random.nextBoolean()) {
        int descriptors = random.nextInt(80);
        at.putShort(0, (short) (534 + descriptors)).putShort(534, (short) descriptors);
      } else if (list.length > 120 && random.nextBoolean()) {
        at.put(0, (byte) 1).put(1, (byte) 0).putShort(2, (short) 0x20).putInt(12, 0xff);
        at.put(16, (byte) 0xff).putShort(42, (short) 32).putShort(44, (short) random.nextInt(70));
        at.putShort(46, (short) 0).putInt(48, 0xe4000000).putInt(52, 0x01030010);
        at.put(80, random.nextBoolean() ? (byte) 0x02 : (byte) 0x0a).putShort(82, (short) 24);
      }
      int length = random.nextBoolean() ? list.length : random.nextInt() >>> 1;
      assertThat(CopyList.decodeLong(at, length, COPY)).as("seed %d", seed).isNotNull();
      RangeList written = RangeList.decodeWrite(at, length, RANGES);
      assertThat(written).as("seed %d", seed).isNotNull();
      if (written instanceof RangeList.Write write) {
        assertThat(write.ranges()).as("seed %d", seed).hasSizeLessThanOrEqualTo(RANGES.ranges());
      }
    }
  }

  @Test
  void longCopyPlanIsDecoded() {
    String offsets =
        "0a00001c" + "00010002" + "10000000" + "0000000000000010" + "0000000000000020" + "00010200";

    assertThat(longCopy(longHeader("18", "01", 64, 60) + DEVICE + DEVICE + fromOne() + offsets))
        .isEqualTo(
            new CopyList.Plan(
                0,
                false,
                true,
                List.of(
                    new CopyList.Device(0x602c0b1111111111L, 0x2222222222222222L),
                    new CopyList.Device(0x602c0b1111111111L, 0x2222222222222222L)),
                List.of(
                    new CopyList.Segment(0, 1, 0x100000, 0x2000, 0x4000),
                    new CopyList.Segment(0, 1, 0x10000000, 0x2001, 0x4200))));
  }

  /// SPC-4 table 148: byte 16 + 32 × ID of the list, so that ID 0 lies in the header of LID4.
  @Test
  void descriptorIdsOfLongListsBeginWithOne() {
    CopyList plan = longCopy(longHeader("00", "00", 64, 28) + DEVICE + DEVICE + SEGMENT);

    assertThat(((CopyList.Plan) plan).segments())
        .containsExactly(new CopyList.Segment(CopyList.UNLISTED, 0, 0x100000, 0x2000, 0x4000));
  }

  @Test
  void badHeadersOfLongListsAreRefused() {
    String good = longHeader("00", "00", 0, 0);
    assertThat(longCopy(good)).isInstanceOf(CopyList.Plan.class);
    assertThat(longCopy("02" + good.substring(2))).isEqualTo(field(0));
    assertThat(longCopy(longHeader("08", "00", 0, 0))).as("LIST ID USAGE 01b").isEqualTo(field(1));
    assertThat(longCopy("01000021" + good.substring(8))).isEqualTo(field(2));
    assertThat(longCopy(longHeader("00", "02", 0, 0))).as("G_SENSE").isEqualTo(field(15));
    assertThat(longCopy(good.substring(0, 32) + "fe" + good.substring(34))).isEqualTo(field(16));
    assertThat(longCopy(longHeader("00", "00", 33, 0) + "00".repeat(33))).isEqualTo(field(42));
    assertThat(longCopy(good.substring(0, 92) + "0001"))
        .isEqualTo(refused(AdditionalSense.INLINE_DATA_LENGTH_EXCEEDED));
    assertThat(longCopy(good.substring(2)))
        .isEqualTo(refused(AdditionalSense.PARAMETER_LIST_LENGTH_ERROR));
    assertThat(longCopy(longHeader("00", "00", 0, 28)))
        .isEqualTo(refused(AdditionalSense.PARAMETER_LIST_LENGTH_ERROR));
  }

  @Test
  void identifierWithoutUseMustBeZero() {
    assertThat(copy("0718" + header(0, 0).substring(4))).isEqualTo(field(0));
    assertThat(copy("0018" + header(0, 0).substring(4)))
        .isEqualTo(new CopyList.Plan(0, false, false, List.of(), List.of()));
    assertThat(copy("0708" + header(0, 0).substring(4))).isEqualTo(field(1));
  }

  @Test
  void rangesOfAPopulateListAreDecoded() {
    String ranges = range(16, 8) + range(0, 4);

    assertThat(populate("002e" + "0300" + "0000001e" + "00800002" + "00000020" + ranges))
        .isEqualTo(
            new RangeList.Populate(
                true,
                30,
                true,
                0x00800002,
                List.of(new RangeList.Range(16, 8), new RangeList.Range(0, 4))));
    assertThat(RangeList.decodePopulate(bytes(""), 0, RANGES)).isEqualTo(new RangeList.Nothing());
  }

  @Test
  void incompleteRangesAreIgnored() {
    String head = "0000" + "00000000" + "00000000" + "0000";
    var one = List.of(new RangeList.Range(16, 8));
    var expected = new RangeList.Populate(false, 0, false, 0, one);

    assertThat(populate("003c" + head + "001f" + range(16, 8) + "00".repeat(15)))
        .as("the length is no multiple of 16")
        .isEqualTo(expected);
    assertThat(populate("002e" + head + "0020" + range(16, 8) + "00".repeat(15)))
        .as("cut short by PARAMETER LIST LENGTH")
        .isEqualTo(expected);
  }

  @Test
  void badRangeListsAreRefused() {
    String head = "0000" + "00000000" + "00000000" + "0000";
    assertThat(populate("00".repeat(15)))
        .isEqualTo(range(AdditionalSense.PARAMETER_LIST_LENGTH_ERROR));
    assertThat(populate("001d" + head + "0010" + range(0, 1))).isEqualTo(rangeField(0));
    assertThat(populate("001e" + head + "000f" + range(0, 1))).isEqualTo(rangeField(14));
    assertThat(populate("001e" + "0000" + "00000065" + "000000000000" + "0010" + range(0, 1)))
        .isEqualTo(rangeField(4));
    assertThat(populate("003e" + head + "0030" + range(0, 1) + range(1, 1) + range(2, 1)))
        .isEqualTo(range(AdditionalSense.TOO_MANY_SEGMENT_DESCRIPTORS));
    assertThat(populate("002e" + head + "0020" + range(0, 60) + range(60, 41)))
        .as("101 blocks")
        .isEqualTo(rangeField(16));
    assertThat(populate("001e" + head + "0010" + range(1000, 1)))
        .isEqualTo(range(AdditionalSense.LOGICAL_BLOCK_ADDRESS_OUT_OF_RANGE));
  }

  @Test
  void writeListMustHaveTheLengthThatItSays() {
    String token = "5a".repeat(512);
    String tail = "000000000000" + "0010" + range(8, 8);

    RangeList list = write("0226" + "0300" + "00000000" + "%016x".formatted(3) + token + tail);

    assertThat(list).isInstanceOf(RangeList.Write.class);
    RangeList.Write write = (RangeList.Write) list;
    assertThat(write.immediate()).isTrue();
    assertThat(write.delete()).isTrue();
    assertThat(write.offset()).isEqualTo(3);
    assertThat(write.token().bytes()).containsOnly(0x5a).hasSize(512);
    assertThat(write.ranges()).containsExactly(new RangeList.Range(8, 8));
    assertThat(write("0227" + "00".repeat(14) + token + tail)).isEqualTo(rangeField(0));
    assertThat(write("0225" + "00".repeat(14) + token + tail)).isEqualTo(rangeField(0));
    assertThat(write("00".repeat(535)))
        .isEqualTo(range(AdditionalSense.PARAMETER_LIST_LENGTH_ERROR));
  }

  private static final RangeList.Limits RANGES = new RangeList.Limits(2, 100, 100, 1000);

  private static String range(long lba, long blocks) {
    return "%016x%08x00000000".formatted(lba, blocks);
  }

  private static RangeList populate(String hex) {
    return RangeList.decodePopulate(bytes(hex), hex.length() / 2, RANGES);
  }

  private static RangeList write(String hex) {
    return RangeList.decodeWrite(bytes(hex), hex.length() / 2, RANGES);
  }

  private static RangeList range(AdditionalSense additional) {
    return new RangeList.Refused(SenseData.illegalRequest(additional));
  }

  private static RangeList rangeField(int index) {
    return new RangeList.Refused(SenseData.invalidParameter(index));
  }

  private static CopyList field(int index) {
    return new CopyList.Refused(SenseData.invalidParameter(index));
  }

  private static String fromOne() {
    return "02000018" + "00010002" + SEGMENT.substring(16);
  }

  private static String longHeader(String usage, String flags, int devices, int segments) {
    return "01"
        + usage
        + "0020"
        + "00".repeat(11)
        + flags
        + "ff000000"
        + (usage.equals("18") ? "00000000" : "12345678")
        + "00".repeat(18)
        + "%04x%04x0000".formatted(devices, segments);
  }

  private static CopyList longCopy(String hex) {
    return CopyList.decodeLong(bytes(hex), hex.length() / 2, COPY);
  }

  @Test
  void reserveListHasItsKeysAndFlags() {
    String keys = "0000000000000001" + "00000000000000ff" + "00000000";

    assertThat(ReserveList.decode(bytes(keys + "05000000"), 24))
        .isEqualTo(new ReserveList.Keys(1, 0xff, true, true));
    assertThat(ReserveList.decode(bytes(keys + "08000000"), 24))
        .as("SPEC_I_PT")
        .isEqualTo(new ReserveList.Refused(SenseData.invalidParameter(20)));
    ReserveList.Refused length =
        new ReserveList.Refused(
            SenseData.illegalRequest(AdditionalSense.PARAMETER_LIST_LENGTH_ERROR));
    assertThat(ReserveList.decode(bytes(keys + "00000000"), 23)).isEqualTo(length);
    assertThat(ReserveList.decode(bytes(keys + "00000000" + "00"), 25)).isEqualTo(length);
    assertThat(ReserveList.decode(bytes(keys), 24)).as("cut short").isEqualTo(length);
  }

  @Test
  void moveListNamesOneInitiatorPort() {
    String keys = "0000000000000001" + "0000000000000002" + "00030001";
    String port = "69716e2e783a61" + "2c692c3078" + "303030323364303030303031" + "00000000";

    assertThat(move(keys + "00000020" + "4500001c" + port))
        .isEqualTo(new ReserveList.Move(1, 2, true, true, 1, "iqn.x:a", 0x00023d000001L));
    for (String other :
        new String[] {
          "0500001c" + port, // a name without an ISID
          "4500001c" + "00".repeat(28),
          "4500001c" + "61".repeat(28)
        }) {
      assertThat(move(keys + "00000020" + other))
          .as(other)
          .isEqualTo(new ReserveList.Refused(SenseData.invalidParameter(24)));
    }
    ReserveList.Refused length =
        new ReserveList.Refused(
            SenseData.illegalRequest(AdditionalSense.PARAMETER_LIST_LENGTH_ERROR));
    assertThat(move(keys + "0000001c" + "4500001c" + port)).isEqualTo(length);
    assertThat(move(keys + "00000020" + "45000018" + port)).isEqualTo(length);
    assertThat(move(keys + "00000000")).isEqualTo(length);
  }

  private static ReserveList move(String hex) {
    return ReserveList.decodeMove(bytes(hex), hex.length() / 2);
  }

  @Test
  void modeListChangesOnlyWhatIsChangeable() {
    ModePages.Control now = ModePages.Control.DEFAULT;
    String control = "0a0a" + "04100800" + "00".repeat(6);

    assertThat(mode("00000000" + control))
        .isEqualTo(new ModeList.Values(new ModePages.Control(true, true)));
    assertThat(mode("00000008" + "0000080000000200" + control))
        .isEqualTo(new ModeList.Values(new ModePages.Control(true, true)));
    assertThat(mode("00000000" + "0812" + "00".repeat(18))).isEqualTo(new ModeList.Values(now));
    assertThat(mode("00000000" + "0812" + "04" + "00".repeat(17)))
        .as("WCE")
        .isEqualTo(new ModeList.Refused(SenseData.invalidParameter(6)));
    assertThat(mode("00000008" + "0000080000001000" + control))
        .as("blocks of 4096")
        .isEqualTo(new ModeList.Refused(SenseData.invalidParameter(4)));
    assertThat(mode("00000000" + "190600000000")).isInstanceOf(ModeList.Refused.class);
    assertThat(mode("00000000" + "0a0b" + "00".repeat(11)))
        .isEqualTo(new ModeList.Refused(SenseData.invalidParameter(5)));
    ModeList.Refused length =
        new ModeList.Refused(SenseData.illegalRequest(AdditionalSense.PARAMETER_LIST_LENGTH_ERROR));
    assertThat(mode("00000000" + "0a0a0410")).isEqualTo(length);
    assertThat(mode("000000")).isEqualTo(length);
    assertThat(mode("")).isEqualTo(new ModeList.Values(now));
  }

  private static ModeList mode(String hex) {
    return ModeList.decode(
        bytes(hex),
        new Cdb.ModeSelect(false, true, hex.length() / 2),
        2048,
        ModePages.Values.DEFAULT);
  }

  private static String header(int devices, int segments) {
    return "0700"
        + "%04x".formatted(32 * devices)
        + "00000000"
        + "%08x".formatted(28 * segments)
        + "00000000";
  }

  private static CopyList.Refused refused(AdditionalSense additional) {
    return new CopyList.Refused(SenseData.illegalRequest(additional));
  }

  private static UnmapList unmap(String hex, int length) {
    return UnmapList.decode(bytes(hex), length, UNMAP);
  }

  private static CopyList copy(String hex) {
    return CopyList.decode(bytes(hex), hex.length() / 2, COPY);
  }

  private static ByteBuffer bytes(String hex) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
  }
}

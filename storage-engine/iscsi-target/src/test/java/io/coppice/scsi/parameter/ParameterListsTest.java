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
                List.of(
                    new CopyList.Device(0x602c0b1111111111L, 0x2222222222222222L),
                    new CopyList.Device(0x602c0b1111111111L, 0x2222222222222222L)),
                List.of(new CopyList.Segment(0, 1, 0x800, 0x10, 0x20))));
  }

  @Test
  void copyOfNothingIsFine() {
    assertThat(copy("")).isEqualTo(new CopyList.Plan(0, List.of(), List.of()));
    assertThat(copy(header(0, 0))).isEqualTo(new CopyList.Plan(7, List.of(), List.of()));
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

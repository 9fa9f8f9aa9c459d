package io.coppice.scsi.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.scsi.cdb.Cdb;
import io.coppice.scsi.cdb.OperationCode;
import io.coppice.scsi.reservation.Registrant;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

public class PagesTest {

  private static final ModePages.Values DEFAULT = ModePages.Values.DEFAULT;
  private static final UUID ID = UUID.fromString("01234567-89ab-cdef-0123-456789abcdef");

  @Test
  void standardInquiryIs96Bytes() {
    InquiryData data = new InquiryData(0x00, true, "COPPICE", "vVol", "0001");

    assertThat(hex(data.encode()))
        .isEqualTo(
            "004006125b380002"
                + "434f505049434520"
                + "76566f6c202020202020202020202020"
                + "30303031"
                + "00".repeat(22)
                + "00a00960046004c0"
                + "00".repeat(30));
  }

  @Test
  void supportedPagesAreListed() {
    assertThat(hex(VitalProductData.supportedPages(0x00, 0x80, 0x83)))
        .isEqualTo("00000003" + "008083");
  }

  @Test
  void serialNumberIsAscii() {
    assertThat(hex(VitalProductData.unitSerialNumber("6abc"))).isEqualTo("00800004" + "36616263");
  }

  @Test
  void extendedInquirySaysWhichTaskAttributesThereAre() {
    assertThat(hex(VitalProductData.extendedInquiry()))
        .isEqualTo("0086003c" + "0007" + "00".repeat(58));
  }

  @Test
  void portsPageNamesThePortOfTheQuestion() {
    assertThat(hex(Designation.ports(new Designation.Port("iqn.x:a", 2, 1))))
        .isEqualTo(
            "00880024"
                + "00000002" // relative port 2
                + "00000000"
                + "00000018" // 24 bytes of designators
                + "53980014"
                + "69716e2e783a612c742c307830303031" // iqn.x:a,t,0x0001
                + "00000000");
  }

  @Test
  void blockLimitsStandAtTheirOffsets() {
    ByteBuffer page =
        VitalProductData.blockLimits(
            new VitalProductData.BlockLimits(
                255, 8, 0x2000, 0x800, 0x100000, 256, 0x8000, false, 0x800, 8));

    assertThat(hex(page))
        .isEqualTo(
            "00b0003c"
                + "01ff0008"
                + "00002000"
                + "00000800"
                + "00002000"
                + "00100000"
                + "00000100"
                + "00000008"
                + "80000000"
                + "0000000000008000"
                + "00000800"
                + "00000008"
                + "00000008"
                + "00".repeat(8));
  }

  @Test
  void mediumDoesNotRotate() {
    assertThat(hex(VitalProductData.blockDeviceCharacteristics()))
        .isEqualTo("00b1003c" + "0001" + "00".repeat(58));
  }

  @Test
  void provisioningIsThinAndZeroing() {
    assertThat(hex(VitalProductData.logicalBlockProvisioning(true)))
        .isEqualTo("00b20004" + "0be40200");
  }

  @Test
  void reservedUnitIsResourceProvisionedAndAnchors() {
    assertThat(hex(VitalProductData.logicalBlockProvisioning(false)))
        .isEqualTo("00b20004" + "0be60100");
  }

  @Test
  void designationNamesUnitPortAndDevice() {
    NetworkAddress naa = new NetworkAddress(0x602c0b1111111111L, 0x2222222222222222L);
    Designation page = new Designation(naa, ID, new Designation.Port("iqn.x:a", 2, 1));

    assertThat(hex(page.encode()))
        .isEqualTo(
            "0083005e"
                + "01030010"
                + "602c0b11111111112222222222222222"
                + "010a0012"
                + "1000"
                + "0123456789abcdef0123456789abcdef"
                + "51940004"
                + "00000002"
                + "51950004"
                + "00000002"
                + "53980014"
                + "69716e2e783a612c742c30783030303100000000"
                + "53a80008"
                + "69716e2e783a6100");
  }

  @Test
  void networkAddressesDependOnKindAndIdentifierOnly() {
    NetworkAddress one = NetworkAddress.of(0x02c0b1, "volume", ID);

    assertThat(one.text()).startsWith("naa.602c0b1").hasSize(36);
    assertThat(NetworkAddress.parse(one.text())).isEqualTo(one);
    assertThat(NetworkAddress.of(0x02c0b1, "volume", ID)).isEqualTo(one);
    assertThat(NetworkAddress.of(0x02c0b1, "endpoint", ID)).isNotEqualTo(one);
    assertThat(NetworkAddress.of(0x02c0b1, "volume", new UUID(0, 1))).isNotEqualTo(one);
  }

  @Test
  void capacityBeyond32BitsIsAllOnes() {
    assertThat(hex(Capacity.encode10(1L << 33, 512))).isEqualTo("ffffffff00000200");
    assertThat(hex(Capacity.encode10(0x1_0000_0000L, 512))).isEqualTo("ffffffff00000200");
    assertThat(hex(Capacity.encode10(1, 512))).isEqualTo("0000000000000200");
  }

  @Test
  void modeSense6HasHeaderDescriptorAndPages() {
    ModePages.Medium medium = new ModePages.Medium(0x800, 512, false, DEFAULT);

    assertThat(hex(mode(new Cdb.ModeSense(false, false, false, 0, 0x3f, 0, 255), medium)))
        .isEqualTo(
            "43001008"
                + "0000080000000200"
                + "010a"
                + "00".repeat(10)
                + "0812"
                + "00".repeat(18)
                + "0a0a"
                + "0010"
                + "00".repeat(8)
                + "1c0a"
                + "00".repeat(10));
  }

  @Test
  void modeSense10HasALongDescriptorOnRequest() {
    ModePages.Medium medium = new ModePages.Medium(0x1_0000_0000L, 512, true, DEFAULT);

    assertThat(hex(mode(new Cdb.ModeSense(true, true, false, 0, 0x1c, 0, 255), medium)))
        .isEqualTo(
            "0022"
                + "00"
                + "90"
                + "0100"
                + "0010"
                + "0000000100000000"
                + "00000000"
                + "00000200"
                + "1c0a"
                + "00".repeat(10));
  }

  @Test
  void controlPageTellsWhatIsSetWhatIsChangeableAndWhatWasThere() {
    ModePages.Medium medium = new ModePages.Medium(8, 512, false, DEFAULT);

    assertThat(hex(mode(new Cdb.ModeSense(false, false, true, 1, 0x0a, 0, 255), medium)))
        .isEqualTo("0f001000" + "0a0a" + "04000800" + "00".repeat(6));
    ModePages.Medium changed =
        new ModePages.Medium(
            8,
            512,
            false,
            new ModePages.Values(new ModePages.Control(true, true), ModePages.Threshold.NONE));
    assertThat(hex(mode(new Cdb.ModeSense(false, false, true, 0, 0x0a, 0, 255), changed)))
        .isEqualTo("0f009000" + "0a0a" + "04100800" + "00".repeat(6));
    assertThat(hex(mode(new Cdb.ModeSense(false, false, true, 2, 0x0a, 0, 255), changed)))
        .isEqualTo("0f009000" + "0a0a" + "00100000" + "00".repeat(6));
  }

  @Test
  void unknownModePageHasNoReply() {
    ModePages.Medium medium = new ModePages.Medium(8, 512, false, DEFAULT);

    assertThat(ModePages.encode(new Cdb.ModeSense(false, false, true, 0, 0x19, 0, 255), medium))
        .isEmpty();
    assertThat(ModePages.encode(new Cdb.ModeSense(false, false, true, 0, 0x08, 7, 255), medium))
        .isEmpty();
  }

  @Test
  void lbaStatusSplitsWhatDoesNotFit32Bits() {
    ByteBuffer page =
        LbaStatus.encode(
            List.of(
                new LbaStatus.Run(0, 8, LbaStatus.State.MAPPED),
                new LbaStatus.Run(8, 0x1_0000_0000L, LbaStatus.State.DEALLOCATED)));

    assertThat(LbaStatus.descriptorsIn(Integer.MAX_VALUE)).isEqualTo(0x0800_0000);
    assertThat(LbaStatus.descriptorsIn(0)).isEqualTo(1);
    assertThat(hex(page))
        .isEqualTo(
            "00000034"
                + "00000000"
                + "0000000000000000"
                + "00000008"
                + "00000000"
                + "0000000000000008"
                + "ffffffff"
                + "01000000"
                + "0000000100000007"
                + "00000001"
                + "01000000");
  }

  @Test
  void lunListHasItsLength() {
    assertThat(hex(LunList.encode(new long[] {0x0001000000000000L, 0xc101000000000000L})))
        .isEqualTo("00000010" + "00000000" + "0001000000000000" + "c101000000000000");
  }

  @Test
  void oneOperationIsDescribedByItsUsageData() {
    List<OperationCode> all = List.of(OperationCode.values());

    assertThat(hex(operations(new Cdb.ReportSupportedOperationCodes(false, 1, 0x28, 0, 255), all)))
        .isEqualTo("0003000a" + "28faffffffff00ffff04");
    assertThat(
            hex(operations(new Cdb.ReportSupportedOperationCodes(true, 2, 0x9e, 0x10, 255), all)))
        .isEqualTo(
            "00830010" + "9e100000000000000000ffffffff0004" + "000a0000" + "0000000000000000");
    assertThat(hex(operations(new Cdb.ReportSupportedOperationCodes(false, 3, 0x5d, 0, 255), all)))
        .isEqualTo("00010000");
    assertThat(
            hex(operations(new Cdb.ReportSupportedOperationCodes(false, 3, 0x9e, 0x1f, 255), all)))
        .isEqualTo("00010000");
  }

  @Test
  void operationAskedForTheWrongWayHasNoReply() {
    List<OperationCode> all = List.of(OperationCode.values());

    assertThat(
            SupportedOperations.encode(
                new Cdb.ReportSupportedOperationCodes(false, 1, 0x9e, 0, 255), all))
        .isEmpty();
    assertThat(
            SupportedOperations.encode(
                new Cdb.ReportSupportedOperationCodes(false, 2, 0x28, 0, 255), all))
        .isEmpty();
  }

  @Test
  void allOperationsAreListedWithTimeouts() {
    ByteBuffer page =
        operations(
            new Cdb.ReportSupportedOperationCodes(true, 0, 0, 0, 255),
            List.of(OperationCode.TEST_UNIT_READY, OperationCode.GET_LBA_STATUS));

    assertThat(hex(page))
        .isEqualTo(
            "00000028"
                + "0000000000020006"
                + "000a0000"
                + "0000000000000000"
                + "9e00001200030010"
                + "000a0000"
                + "0000000000000000");
  }

  @Test
  void taskManagementFunctionsAreListed() {
    assertThat(hex(SupportedOperations.taskManagement(false))).isEqualTo("da000000");
    assertThat(hex(SupportedOperations.taskManagement(true)))
        .isEqualTo("da00000c" + "00".repeat(12));
  }

  @Test
  void portGroupIsActiveOptimizedUntilItIsSet() {
    assertThat(hex(TargetPortGroup.encode(2, false, null)))
        .isEqualTo("0000000c" + "0003000200000001" + "00000002");
    assertThat(hex(TargetPortGroup.encode(2, true, null)))
        .isEqualTo("00000010" + "10000000" + "0003000200000001" + "00000002");
    assertThat(hex(TargetPortGroup.encode(2, false, TargetPortGroup.State.NON_OPTIMIZED)))
        .isEqualTo("0000000c" + "0103000200010001" + "00000002");
  }

  @Test
  void thirdPartyCopyPageListsCommandsAndLimits() {
    String types = "00800000" + "03" + "00".repeat(59) + "00800001" + "03" + "00".repeat(59);
    types += "00800002" + "03" + "00".repeat(59) + "0080ffff" + "01" + "00".repeat(59);
    types += "ffff0001" + "02" + "00".repeat(59);
    assertThat(hex(COPIES.encodePage()))
        .isEqualTo(
            "008f0250"
                + "00000020" // block device ROD limits
                + "00".repeat(6)
                + "0040"
                + "00000258"
                + "0000003c"
                + "0000000000800000"
                + "0000000000080000"
                + "00010014" // supported commands
                + "10"
                + "830500011011"
                + "1c"
                + "8407000103040507"
                + "08"
                + "000000"
                + "0004001c" // parameter data
                + "00000000"
                + "00100040"
                + "00000a00"
                + "00".repeat(16)
                + "00080004" // supported descriptors
                + "03020ae4"
                + "000c0004" // supported CSCD IDs
                + "0002ffff"
                + "000d0014" // copy group identifier
                + "121000"
                + "0123456789abcdef0fedcba987654321"
                + "00"
                + "0106005c" // ROD token features
                + "00".repeat(12)
                + "00000001"
                + "00015180"
                + "00000258"
                + "00".repeat(18)
                + "0030"
                + "0000002c"
                + "00000008"
                + "0000000100000000"
                + "0000000010000000"
                + "0000000100000000"
                + "0000000010000000"
                + "00".repeat(8)
                + "01080144" // supported ROD types
                + "00000140"
                + types
                + "80010020" // general copy operations
                + "000000ff"
                + "000000ff"
                + "10000000"
                + "0000"
                + "00".repeat(18));
  }

  private static final CopyParameters COPIES =
      new CopyParameters(
          16,
          64,
          2560,
          0x10000000,
          255,
          new CopyParameters.Tokens(
              64,
              4L << 30,
              256L << 20,
              60,
              600,
              86_400,
              UUID.fromString("01234567-89ab-cdef-0fed-cba987654321")));

  @Test
  void copyParametersStandAtTheirOffsets() {
    ByteBuffer page = COPIES.encode();

    assertThat(hex(page))
        .isEqualTo(
            "0000002b"
                + "01000000"
                + "00100040"
                + "00000a00"
                + "10000000"
                + "00".repeat(12)
                + "00".repeat(2)
                + "00ff"
                + "ff"
                + "00"
                + "00".repeat(5)
                + "03"
                + "020ae4");
  }

  @Test
  void copyStatusCountsInKib() {
    CopyStatus copied = CopyStatus.begun(0, false).advanced(2, 2 << 20);

    assertThat(hex(copied.encode())).isEqualTo("00000008" + "00" + "0002" + "01" + "00000800");
    assertThat(hex(copied.ended(CopyStatus.State.COMPLETED).encode()))
        .isEqualTo("00000008" + "01" + "0002" + "01" + "00000800");
  }

  @Test
  void transportIdNamesInitiatorAndIsid() {
    byte[] id = ReservationData.transportId(new Registrant("iqn.x:ab", 0x00023d000001L, 1));

    assertThat(HexFormat.of().formatHex(id))
        .isEqualTo(
            "4500001c"
                + HexFormat.of()
                    .formatHex("iqn.x:ab,i,0x00023d000001".getBytes(StandardCharsets.US_ASCII))
                + "000000");
    assertThat(ReservationData.transportId(new Registrant("iqn.x:abcde", 1, 1)))
        .as("a name that fills its words is followed by a word of zeros")
        .hasSize(4 + 32);
  }

  private static ByteBuffer mode(Cdb.ModeSense request, ModePages.Medium medium) {
    return ModePages.encode(request, medium).orElseThrow();
  }

  private static ByteBuffer operations(
      Cdb.ReportSupportedOperationCodes request, List<OperationCode> operations) {
    return SupportedOperations.encode(request, operations).orElseThrow();
  }

  private static String hex(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}

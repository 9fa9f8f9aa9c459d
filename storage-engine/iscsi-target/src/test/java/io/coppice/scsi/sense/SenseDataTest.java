package io.coppice.scsi.sense;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class SenseDataTest {

  @Test
  void fixedFormatCarriesKeyAndCodes() {
    SenseData sense =
        SenseData.of(SenseKey.UNIT_ATTENTION, AdditionalSense.POWER_ON_OR_RESET_OCCURRED);

    assertThat(hex(sense.encode()))
        .isEqualTo("700006000000000a" + "00000000" + "2900" + "00000000");
  }

  @Test
  void miscompareCarriesTheOffsetWithValid() {
    assertThat(hex(SenseData.miscompare(0x1ff).encode()))
        .isEqualTo("f0000e000001ff0a" + "00000000" + "1d00" + "00000000");
  }

  @Test
  void fieldPointerNamesTheByteAndWhereItIs() {
    assertThat(hex(SenseData.invalidCdb(13).encode()))
        .isEqualTo("700005000000000a" + "00000000" + "2400" + "00" + "c0000d");
    assertThat(hex(SenseData.invalidParameter(0x0102).encode()))
        .isEqualTo("700005000000000a" + "00000000" + "2600" + "00" + "800102");
  }

  @Test
  void abortedCopyNamesItsSegment() {
    assertThat(
            hex(
                SenseData.copyAborted(AdditionalSense.COPY_TARGET_DEVICE_NOT_REACHABLE, 3)
                    .encode()))
        .isEqualTo("70000a000000000a" + "00000003" + "0d02" + "00000000");
  }

  @Test
  void largeInformationNeedsDescriptorFormat() {
    assertThat(hex(SenseData.miscompare(0x1_0000_0000L).encode()))
        .isEqualTo("720e1d000000000c" + "000a8000" + "0000000100000000");
  }

  @Test
  void descriptorFormatCarriesTheSame() {
    assertThat(hex(SenseData.NO_SENSE.encodeDescriptors())).isEqualTo("7200000000000000");
    assertThat(hex(SenseData.invalidCdb(2).encodeDescriptors()))
        .isEqualTo("7205240000000008" + "02060000c0000200");
  }

  private static String hex(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}

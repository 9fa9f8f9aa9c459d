package io.coppice.scsi.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.sense.SenseData;
import io.coppice.scsi.sense.SenseKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class CopyStatusTest {

  @Test
  void longCopyStatusTellsStageSenseAndCount() {
    CopyStatus begun = CopyStatus.begun(0x11, true).advanced(0, 1 << 20);
    CopyStatus copied = CopyStatus.begun(0x01, false).advanced(3, 1 << 20);
    SenseData full =
        SenseData.of(SenseKey.DATA_PROTECT, AdditionalSense.SPACE_ALLOCATION_FAILED_WRITE_PROTECT);

    assertThat(hex(begun.encodeLong()))
        .isEqualTo(
            "0000001c"
                + "1112"
                + "0001"
                + "00000064"
                + "000000f1"
                + "0000000000000800"
                + "0000"
                + "00".repeat(6));
    assertThat(hex(copied.ended(CopyStatus.State.COMPLETED).encodeLong()))
        .isEqualTo(
            "0000001c"
                + "0101"
                + "0001"
                + "fffffffe"
                + "00000000"
                + "0000000000100000"
                + "0003"
                + "00".repeat(6));
    assertThat(hex(begun.failed(full).encodeLong()))
        .isEqualTo(
            "00000030"
                + "1102"
                + "0001"
                + "fffffffe"
                + "021412f1"
                + "0000000000000800"
                + "0000"
                + "00".repeat(6)
                + hex(full.encode())
                + "0000");
    assertThat(hex(begun.terminated().encodeLong()).substring(8, 28))
        .isEqualTo("1160" + "0001" + "fffffffe" + "4000");
  }

  @Test
  void tokensFollowTheStatusThatMadeThem() {
    CopyStatus made =
        CopyStatus.begun(0x10, false).advanced(0, 512).ended(CopyStatus.State.COMPLETED);
    byte[] token = new byte[RodToken.LENGTH];
    Arrays.fill(token, (byte) 0x77);

    assertThat(hex(made.encodeTokens(token)))
        .isEqualTo(
            "00000222"
                + "1001"
                + "0001"
                + "fffffffe"
                + "000000f1"
                + "0000000000000001"
                + "0000"
                + "00".repeat(6)
                + "00000202"
                + "0000"
                + "77".repeat(512));
    assertThat(hex(made.encodeTokens(null)))
        .startsWith("00000020" + "1001")
        .endsWith("00".repeat(4))
        .hasSize(2 * 36);
  }

  @Test
  void tokenSaysWhoseDataItStandsFor() {
    byte[] secret = new byte[RodToken.SECRET_LENGTH];
    Arrays.fill(secret, (byte) 0x5e);
    NetworkAddress unit = new NetworkAddress(0x6111111111111111L, 0x2222222222222222L);
    NetworkAddress device = new NetworkAddress(0x6333333333333333L, 0x4444444444444444L);

    byte[] token =
        RodToken.encode(RodType.PERSISTENT, 0x0102030405060708L, unit, device, 1 << 20, 3, secret);

    assertThat(HexFormat.of().formatHex(token))
        .isEqualTo(
            "00800002"
                + "000001f8"
                + "0102030405060708"
                + "e4000000"
                + "01030010"
                + "61111111111111112222222222222222"
                + "00000000"
                + "00000200"
                + "00".repeat(8)
                + "0000000000100000"
                + "00".repeat(32)
                + "00000200"
                + "0003"
                + "c000"
                + "00".repeat(24)
                + "01230010"
                + "63333333333333334444444444444444"
                + "00".repeat(108)
                + "5e".repeat(256));
    assertThat(RodToken.isOf(token, device)).isTrue();
    assertThat(RodToken.isOf(token, unit)).isFalse();
    assertThat(RodToken.management(token)).isEqualTo(Arrays.copyOf(token, 96));
  }

  private static String hex(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}

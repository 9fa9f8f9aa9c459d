package io.coppice.scsi.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Expected bytes are written out from SPC-5 §7.3 and SBC-4 §6.4.
public class LogPagesTest {

  private static final LogPages.Numbers NUMBERS =
      new LogPages.Numbers(3, 2, 0x10, 0x20, new LogPages.Resources(5 << 20, (7 << 20) + 1, false));

  /// SPC-5 §7.3.19: page codes, one byte each; DS and SPF are 0.
  @Test
  void supportedPagesAreListed() {
    assertThat(page(0x00, 0, 0)).hasValue("00000003" + "000c19");
  }

  /// SPC-5 §7.3.20: page and subpage codes, two bytes each; SPF is 1.
  @Test
  void supportedSubpagesAreListed() {
    assertThat(page(0x00, 0xff, 0)).hasValue("40ff0008" + "0000" + "00ff" + "0c00" + "1900");
  }

  /// SBC-4 §6.4.4: available and used LBA mapping resources in threshold sets of 2^11 blocks, both
  /// shared with other units (SCOPE 10b).
  @Test
  void provisioningCountsMebibytes() {
    assertThat(page(0x0c, 0, 0))
        .hasValue(
            "8c000018"
                + "00010308"
                + "00000005"
                + "02000000"
                + "00020308"
                + "00000008"
                + "02000000");
  }

  /// SPC-5 §7.3.10: commands and blocks, idle time, the unit of times (1 ms); times are not
  /// measured.
  @Test
  void statisticsCountCommandsAndBlocks() {
    assertThat(page(0x19, 0, 1))
        .hasValue(
            "9900005c"
                + "00010340"
                + "0000000000000003"
                + "0000000000000002"
                + "0000000000000010"
                + "0000000000000020"
                + "00".repeat(32)
                + "00020308"
                + "00".repeat(8)
                + "00030308"
                + "00000003"
                + "00000001");
  }

  /// SPC-5 §6.10: parameters from the PARAMETER POINTER on; beyond the last is an error.
  @Test
  void pointerSkipsParameters() {
    assertThat(page(0x0c, 0, 2)).hasValue("8c00000c" + "00020308" + "00000008" + "02000000");
    assertThat(page(0x0c, 0, 3)).isEmpty();
    assertThat(page(0x19, 0, 3)).hasValue("9900000c" + "00030308" + "00000003" + "00000001");
    assertThat(page(0x19, 0, 4)).isEmpty();
    assertThat(page(0x00, 0, 1)).isEmpty();
  }

  @Test
  void everyOtherPageIsEmptyWhateverIsAsked() {
    for (int page = 0; page < 64; page++) {
      for (int subpage = 0; subpage < 256; subpage++) {
        for (int pointer : new int[] {0, 1, 2, 0xffff}) {
          if (!LogPages.has(page, subpage)) {
            assertThat(page(page, subpage, pointer)).as("%02x/%02x", page, subpage).isEmpty();
          }
        }
      }
    }
  }

  @Test
  void countsThatDoNotFitAreTheGreatest() {
    LogPages.Numbers huge =
        new LogPages.Numbers(0, 0, 0, 0, new LogPages.Resources(Long.MAX_VALUE >> 1, 0, true));

    ByteBuffer page = LogPages.encode(0x0c, 0, 0, huge, 0).orElseThrow();

    assertThat(page.getInt(8)).isEqualTo(0xffff_ffff);
    assertThat(page.get(12)).as("SCOPE: of this unit alone").isEqualTo((byte) 1);
  }

  private static Optional<String> page(int page, int subpage, int pointer) {
    return LogPages.encode(page, subpage, pointer, NUMBERS, 11)
        .map(
            bytes -> {
              byte[] all = new byte[bytes.remaining()];
              bytes.get(all);
              return HexFormat.of().formatHex(all);
            });
  }
}

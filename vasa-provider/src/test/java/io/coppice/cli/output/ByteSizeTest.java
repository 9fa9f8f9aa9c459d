package io.coppice.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.cli.failure.CommandFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "4096, 4096",
    "4096B, 4096",
    "1K, 1024",
    "10G, 10737418240",
    "10GiB, 10737418240",
    "10 GiB, 10737418240",
    "10GB, 10000000000",
    "1.5GiB, 1610612736",
    "528KiB, 540672",
    "1T, 1099511627776",
    "7.5EiB, 8646911284551352320",
    "9223372036854775807, 9223372036854775807"
  })
  void aSizeHasBinaryUnitsUnlessItSaysOtherwise(String text, long bytes) {
    assertThat(ByteSize.parse("--size", text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-1",
        "10Q",
        "10gib",
        "GiB",
        "1,5G",
        "0x10",
        "8E",
        "9223372036854775808",
        "1.5"
      })
  void whatIsNoSizeIsRefusedWithWhatWasExpected(String text) {
    assertThatThrownBy(() -> ByteSize.parse("--size", text))
        .isInstanceOf(CommandFailedException.class)
        .hasMessageContaining("expected --size as a")
        .hasMessageContaining("'" + text + "'");
  }

  @Test
  void peopleReadUnits() {
    assertThat(ByteSize.text(0)).isEqualTo("0 B");
    assertThat(ByteSize.text(1023)).isEqualTo("1023 B");
    assertThat(ByteSize.text(1536)).isEqualTo("1.5 KiB");
    assertThat(ByteSize.text((1L << 30) - 1)).isEqualTo("1.0 GiB");
    assertThat(ByteSize.text(Long.MAX_VALUE)).isEqualTo("8.0 EiB");
    assertThat(ByteSize.exact(1L << 30)).isEqualTo("1.0 GiB (1073741824)");
  }
}

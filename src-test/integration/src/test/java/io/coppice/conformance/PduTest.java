package io.coppice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class PduTest {

  /// CRC32C of 32 bytes of zeros is AA 36 91 8A on the wire (RFC 3720, appendix B.4).
  @Test
  void digestIsThatOfTheStandard() {
    assertThat(HexFormat.of().formatHex(Pdu.digest(new byte[32]))).isEqualTo("aa36918a");
  }
}

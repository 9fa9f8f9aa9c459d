package io.coppice.iscsi.pdu;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/// Headers as RFC 7143 §11 draws them.
class PduCodecTest {

  private static final PduEncoder.Numbers NUMBERS =
      new PduEncoder.Numbers() {
        @Override
        public int statSn() {
          return 0x11111111;
        }

        @Override
        public int expCmdSn() {
          return 0x22222222;
        }

        @Override
        public int maxCmdSn() {
          return 0x33333333;
        }
      };

  @Test
  void scsiCommandIsDecoded() {
    InitiatorPdu pdu =
        decode(
            "01a1000000000200 0001000000000000 00000007 00000400 0000000a 00000003"
                + "2a000000000000000200000000000000");

    assertThat(pdu)
        .isEqualTo(
            new InitiatorPdu.ScsiCommand(
                false,
                true,
                false,
                true,
                1,
                0x0001_0000_0000_0000L,
                7,
                1024,
                10,
                ByteBuffer.wrap(bytes("2a000000000000000200000000000000"))));
  }

  @Test
  void loginIsDecoded() {
    assertThat(
            decode(
                "43870000000000c8 80000102030405aa 00000001 0007 0000 00000009 00000005"
                    + "00000000000000000000000000000000"))
        .isEqualTo(
            new InitiatorPdu.Login(true, false, 1, 3, 0, 0x8000_0102_0304L, 0x05aa, 1, 7, 9, 5));
  }

  @Test
  void dataOutIsDecoded() {
    assertThat(
            decode(
                "0580000000000200 0001000000000000 00000007 00000100 00000000 00000003"
                    + "00000000 00000002 00000400 00000000"))
        .isEqualTo(new InitiatorPdu.DataOut(true, 7, 0x100, 2, 0x400));
  }

  @Test
  void taskManagementIsDecoded() {
    assertThat(
            decode(
                "4281000000000000 0001000000000000 00000008 00000007 0000000b 00000003"
                    + "0000000a 000000000000000000000000"))
        .isEqualTo(
            new InitiatorPdu.TaskManagement(true, 1, 0x0001_0000_0000_0000L, 8, 7, 11, 3, 10));
  }

  @Test
  void readyToTransferIsEncoded() {
    assertThat(encode(new TargetPdu.ReadyToTransfer(1L << 48, 7, 0x100, 2, 0x400, 0x200), 0))
        .isEqualTo(
            "3180000000000000 0001000000000000 00000007 00000100 11111111 22222222"
                + " 33333333 00000002 00000400 00000200");
  }

  @Test
  void dataInWithoutStatusLeavesStatSnOut() {
    TargetPdu.Residual residual = TargetPdu.Residual.of(512, 1024);

    assertThat(encode(new TargetPdu.DataIn(true, false, 7, 3, 0x600, residual), 0x200))
        .isEqualTo(
            "2580000000000200 0000000000000000 00000007 ffffffff 00000000 22222222"
                + " 33333333 00000003 00000600 00000000");
  }

  @Test
  void scsiResponseShowsOverflow() {
    TargetPdu.Residual residual = TargetPdu.Residual.of(0x700, 0x200);

    assertThat(encode(new TargetPdu.ScsiResponse(7, 0, 4, residual), 0))
        .isEqualTo(
            "2184000000000000 0000000000000000 00000007 00000000 11111111 22222222"
                + " 33333333 00000004 00000000 00000500");
  }

  @Test
  void asyncMessageIsEncoded() {
    assertThat(encode(new TargetPdu.AsyncMessage(TargetPdu.AsyncMessage.DROPS_SESSION, 0, 2, 0), 0))
        .isEqualTo(
            "3280000000000000 0000000000000000 ffffffff 00000000 11111111 22222222"
                + " 33333333 03000000 00020000 00000000");
  }

  @Test
  void rejectIsEncoded() {
    assertThat(encode(new TargetPdu.Reject(TargetPdu.Reject.PROTOCOL_ERROR), 48))
        .isEqualTo(
            "3f80040000000030 0000000000000000 ffffffff 00000000 11111111 22222222"
                + " 33333333 00000000 00000000 00000000");
  }

  /// The examples of RFC 7143 Appendix A.4 (CRC Examples).
  @Test
  void digestsAreThoseOfTheStandard() {
    assertThat(digestOf(new byte[32])).isEqualTo(0xaa36918a);
    byte[] ones = new byte[32];
    Arrays.fill(ones, (byte) 0xff);
    assertThat(digestOf(ones)).isEqualTo(0x43aba862);
    byte[] counting = new byte[32];
    for (int i = 0; i < 32; i++) {
      counting[i] = (byte) i;
    }
    assertThat(digestOf(counting)).isEqualTo(0x4e79dd46);
  }

  @Test
  void residualSaturates() {
    assertThat(TargetPdu.Residual.of(1L << 40, 0).count()).isEqualTo(0xffffffff);
    assertThat(TargetPdu.Residual.of(5, 5)).isEqualTo(TargetPdu.Residual.NONE);
  }

  @Test
  void serialNumbersWrap() {
    assertThat(SerialNumber.before(0xffffffff, 0)).isTrue();
    assertThat(SerialNumber.before(0, 0xffffffff)).isFalse();
    assertThat(SerialNumber.within(1, 0xfffffff0, 5)).isTrue();
    assertThat(SerialNumber.within(6, 0xfffffff0, 5)).isFalse();
  }

  private static int digestOf(byte[] bytes) {
    Digest digest = new Digest();
    digest.update(bytes, 0, bytes.length);
    return digest.value();
  }

  private static InitiatorPdu decode(String hex) {
    return PduDecoder.decode(ByteBuffer.wrap(bytes(hex)));
  }

  private static String encode(TargetPdu pdu, int dataLength) {
    ByteBuf out = Unpooled.buffer();
    PduEncoder.encode(pdu, dataLength, NUMBERS, out);
    String hex = ByteBufUtil.hexDump(out);
    assertThat(hex).hasSize(96);
    return hex.substring(0, 16)
        + " "
        + hex.substring(16, 32)
        + hex.substring(32).replaceAll("(.{8})", " $1");
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }
}

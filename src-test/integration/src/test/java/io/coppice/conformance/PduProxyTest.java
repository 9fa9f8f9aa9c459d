package io.coppice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Both sides of the proxy are played by the test.
class PduProxyTest {

  private static final int PATIENCE_MS = 10_000;
  private static final long BOUND = 0x0001_d200_0001_0000L;

  private ServerSocket listener;
  private PduProxy proxy;
  private Socket initiator;
  private Socket target;

  @BeforeEach
  void listen() throws IOException {
    listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    listener.setSoTimeout(PATIENCE_MS);
  }

  @AfterEach
  void close() throws IOException {
    initiator.close();
    target.close();
    proxy.close();
    listener.close();
  }

  private void connect(PduRewriting rewriting) throws IOException {
    proxy =
        PduProxy.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort()),
            rewriting);
    initiator = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    target = listener.accept();
    initiator.setSoTimeout(PATIENCE_MS);
    target.setSoTimeout(PATIENCE_MS);
  }

  @Test
  void numberOfTheInitiatorBecomesThatOfTheTargetAndBack() throws IOException {
    connect(PduRewriting.lun(1, BOUND));

    send(initiator, pdu(0x01, 1L << 48, "abc"), false);
    Pdu command = Pdu.read(target.getInputStream(), false);
    send(target, pdu(0x25, BOUND, "data"), false);
    Pdu data = Pdu.read(initiator.getInputStream(), false);

    assertThat(command.lun()).isEqualTo(BOUND);
    assertThat(command.data()).asString(StandardCharsets.US_ASCII).isEqualTo("abc");
    assertThat(data.lun()).isEqualTo(1L << 48);
  }

  @Test
  void otherNumbersAndPdusPassUnchanged() throws IOException {
    connect(PduRewriting.lun(1, BOUND));

    send(initiator, pdu(0x01, 2L << 48, ""), false);
    send(initiator, pdu(0x03, 1L << 48, "HeaderDigest=None\0"), false);

    assertThat(Pdu.read(target.getInputStream(), false).lun()).isEqualTo(2L << 48);
    Pdu login = Pdu.read(target.getInputStream(), false);
    assertThat(login.lun()).isEqualTo(1L << 48);
    assertThat(text(login)).isEqualTo("HeaderDigest=None\0");
  }

  @Test
  void initiatorWithoutDigestsHasThemTowardsTheTarget() throws IOException {
    connect(PduRewriting.withDigests());
    logIn();

    send(initiator, pdu(0x01, 0, "abcde"), false);
    Pdu command = Pdu.read(target.getInputStream(), true);
    send(target, pdu(0x25, 0, "12345"), true);
    Pdu data = Pdu.read(initiator.getInputStream(), false);

    assertThat(text(command)).isEqualTo("abcde");
    assertThat(text(data)).isEqualTo("12345");
    assertThat(proxy.digestsChecked()).isEqualTo(1);
    assertThat(proxy.digestsWrong()).isZero();
  }

  @Test
  void wrongDigestOfTheTargetEndsTheConnectionAndCounts() throws IOException {
    connect(PduRewriting.withDigests());
    logIn();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    pdu(0x25, 0, "12345").write(bytes, true);
    byte[] wrong = bytes.toByteArray();
    wrong[wrong.length - 1] ^= 1;

    target.getOutputStream().write(wrong);

    assertThat(initiator.getInputStream().read()).isEqualTo(-1);
    assertThat(proxy.digestsWrong()).isEqualTo(1);
  }

  private void logIn() throws IOException {
    send(initiator, pdu(0x03, 0, "HeaderDigest=None\0DataDigest=None\0X=1\0"), false);
    assertThat(text(Pdu.read(target.getInputStream(), false)))
        .isEqualTo("HeaderDigest=CRC32C\0DataDigest=CRC32C\0X=1\0");
    Pdu answer = pdu(0x23, 0, "HeaderDigest=CRC32C\0DataDigest=CRC32C\0");
    answer.header()[1] = (byte) 0x87;
    send(target, answer, false);
    assertThat(text(Pdu.read(initiator.getInputStream(), false)))
        .isEqualTo("HeaderDigest=None\0DataDigest=None\0");
  }

  private static Pdu pdu(int opcode, long lun, String data) {
    byte[] header = new byte[Pdu.BASIC_HEADER];
    header[0] = (byte) opcode;
    return new Pdu(header, new byte[0])
        .withLun(lun)
        .withData(data.getBytes(StandardCharsets.US_ASCII));
  }

  private static void send(Socket to, Pdu pdu, boolean digests) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    pdu.write(bytes, digests);
    to.getOutputStream().write(bytes.toByteArray());
  }

  private static String text(Pdu pdu) {
    return new String(pdu.data(), StandardCharsets.US_ASCII);
  }
}

package io.coppice.app.tool.doctor;

import io.coppice.vasa.verdict.Cause;
import io.coppice.vasa.verdict.Report;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// The check of the iSCSI target: discovery login and target names (RFC 7143 §11.12, §4.3).
final class TargetCheck implements Check {

  private static final int TIMEOUT_MILLIS = 10_000;
  private static final int HEADER = 48;
  private static final byte LOGIN = 0x43;
  private static final byte LOGIN_ANSWER = 0x23;
  private static final byte TEXT = 0x04;
  private static final byte TEXT_ANSWER = 0x24;

  /// From operational negotiation to full feature, in one step.
  private static final byte TO_FULL_FEATURE = (byte) 0x87;

  private static final byte FINAL = (byte) 0x80;
  private static final String KEYS =
      "InitiatorName=iqn.2026-11.io.coppice:doctor\0SessionType=Discovery\0";

  @Override
  public void look(DoctorSubject site, Report report) {
    if (!site.running() || site.iscsi().port() == 0) {
      report.skip("target", "it does not run, or at a port that is not known");
      return;
    }
    ServerAddress portal = site.iscsi();
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(portal.name(), portal.port()), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      Pdu login = exchange(socket, LOGIN, TO_FULL_FEATURE, KEYS);
      login.require(LOGIN_ANSWER);
      int status = login.header().getShort(36);
      if (status != 0) {
        report.ok("target", "%s answers; discovery needs CHAP (status %04x)", portal, status);
        return;
      }
      Pdu targets = exchange(socket, TEXT, FINAL, "SendTargets=All\0");
      targets.require(TEXT_ANSWER);
      int names = targets.text().split("TargetName=", -1).length - 1;
      report.ok("target", "%s takes logins and names %d targets", portal, names);
    } catch (IOException e) {
      report.fail(
          "target",
          Cause.TARGET,
          "The iSCSI target at %s takes no login: %s.".formatted(portal, e.getMessage()),
          "look into the provider's log; if it goes on, restart it.");
    }
  }

  private record Pdu(ByteBuffer header, String text) {

    void require(byte opcode) throws IOException {
      int got = header.get(0) & 0x3f;
      if (got != opcode) {
        throw new IOException("expected the PDU %02x, got %02x".formatted(opcode, got));
      }
    }
  }

  private static Pdu exchange(Socket socket, byte opcode, byte flags, String keys)
      throws IOException {
    byte[] text = keys.getBytes(StandardCharsets.UTF_8);
    int padded = (text.length + 3) & ~3;
    ByteBuffer pdu = ByteBuffer.allocate(HEADER + padded);
    pdu.put(0, opcode).put(1, flags).putInt(4, text.length);
    // An ISID of the "random" kind; for a text request the same place must be zero.
    boolean login = opcode == LOGIN;
    pdu.put(8, login ? FINAL : 0).putInt(16, login ? 1 : 2);
    pdu.putInt(20, login ? 0 : -1).putInt(24, 1);
    pdu.put(HEADER, text);
    socket.getOutputStream().write(pdu.array());
    socket.getOutputStream().flush();
    var in = new DataInputStream(socket.getInputStream());
    ByteBuffer header = ByteBuffer.wrap(in.readNBytes(HEADER));
    if (header.limit() < HEADER) {
      throw new IOException("the connection was closed");
    }
    int length = header.getInt(4) & 0xffffff;
    byte[] data = in.readNBytes((length + 3) & ~3);
    return new Pdu(
        header, new String(data, 0, Math.min(length, data.length), StandardCharsets.UTF_8));
  }
}

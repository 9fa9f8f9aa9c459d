package io.coppice.iscsi;

import static io.coppice.fuzz.Decoder.check;
import static io.coppice.iscsi.ScriptedInitiator.TARGET;

import io.coppice.fuzz.FuzzTarget;
import io.coppice.iscsi.connection.PeerFault;
import io.coppice.iscsi.setting.IscsiSettings;
import io.coppice.iscsi.testing.RamDisk;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The same sessions as [ConnectionFuzz.Conversation] over TCP, against a target with its event
/// loops, which end with the connection. Where the coverage is counted nothing of it is seen: what
/// is kept is chosen by the seeds of the other.
final class SocketFuzz implements FuzzTarget {

  private static final int PATIENCE_MS = 30_000;

  private final RamDisk disk = new RamDisk(TARGET, 1 << 16);
  private final RamDisk other = new RamDisk(TARGET + "2", 1 << 16, Set.of("nobody"), Runnable::run);
  private final IscsiTarget target =
      IscsiTarget.start(IscsiSettings.loopback(), List.of(disk, other), _ -> Optional.empty());
  private final ConnectionFuzz.Conversation same = new ConnectionFuzz.Conversation();

  SocketFuzz() {
    disk.recordNothing();
  }

  @Override
  public String name() {
    return "TCP connection";
  }

  @Override
  public List<byte[]> seeds() {
    return same.seeds();
  }

  @Override
  public List<byte[]> tokens() {
    return same.tokens();
  }

  @Override
  public int lengthMax() {
    return same.lengthMax();
  }

  @Override
  public Bounds bounds() {
    return new Bounds(4 << 20, 4096, 100_000, 1000);
  }

  @Override
  public long share(long inputs) {
    return Math.max(1, inputs / 100);
  }

  @Override
  public String run(byte[] input) throws IOException {
    long mistakes = target.counters().of(PeerFault.INTERNAL);
    int answered;
    InetSocketAddress portal = target.portals().getFirst();
    try (Socket socket = new Socket(portal.getAddress(), portal.getPort())) {
      socket.setSoTimeout(PATIENCE_MS);
      for (byte[] pdu : ConnectionFuzz.Conversation.pdus(input)) {
        socket.getOutputStream().write(pdu);
      }
      socket.shutdownOutput();
      InputStream in = socket.getInputStream();
      answered = in.readNBytes(Integer.MAX_VALUE).length;
    } catch (SocketException reset) {
      answered = -1; // it was dropped while bytes of ours were on their way
    }
    check(target.counters().of(PeerFault.INTERNAL) == mistakes, "no mistake of ours", "one");
    ByteBuffer blocks = other.content();
    for (int at = 0; at < blocks.capacity(); at += Long.BYTES) {
      check(blocks.getLong(at) == 0, "the other disk untouched", at);
    }
    return "%d answers".formatted(Math.min(answered, 500) / 48);
  }

  @Override
  public void close() {
    target.close();
    same.close();
    check(target.sessions() == 0, "no session left", target.sessions());
    check(target.dataBytes() == 0, "no memory left", target.dataBytes());
  }
}

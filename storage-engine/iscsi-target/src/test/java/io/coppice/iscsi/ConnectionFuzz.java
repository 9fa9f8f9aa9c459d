package io.coppice.iscsi;

import static io.coppice.fuzz.Decoder.check;
import static io.coppice.iscsi.ScriptedInitiator.NAME;
import static io.coppice.iscsi.ScriptedInitiator.TARGET;

import io.coppice.fuzz.Decoder;
import io.coppice.fuzz.FuzzTarget;
import io.coppice.fuzz.FuzzTarget.Bounds;
import io.coppice.iscsi.connection.PeerFault;
import io.coppice.iscsi.pdu.InitiatorPdu;
import io.coppice.iscsi.pdu.PduReader;
import io.coppice.iscsi.session.TargetNode;
import io.coppice.iscsi.testing.RamDisk;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Bytes of a connection, for the fuzzer: cut into PDUs, and as whole sessions beside another one.
final class ConnectionFuzz {

  private static final int SEGMENT_MAX = 8192;

  private ConnectionFuzz() {}

  static List<FuzzTarget> targets() {
    return List.of(framing(), new Conversation(), new SocketFuzz());
  }

  private static FuzzTarget framing() {
    byte[] command = pdu(0, 0x01, 0xc1, new byte[0]);
    byte[] login = pdu(0, 0x43, 0x87, "InitiatorName=x\0".getBytes(StandardCharsets.UTF_8));
    byte[] extended = pdu(0, 0x01, 0xc1, new byte[40]);
    extended[4] = 6;
    return new Decoder(
        "PDU framing",
        9000,
        new Bounds(1 << 16, 64, 4000, 64),
        List.of(with(0, command), with(0, login), with(3, login), with(2, extended)),
        List.of(),
        ConnectionFuzz::runFraming);
  }

  /// The first byte says which digests there are and where the stream is cut in two.
  private static String runFraming(byte[] input) {
    if (input.length == 0) {
      return "nothing";
    }
    byte[] stream = Arrays.copyOfRange(input, 1, input.length);
    int cut = (input[0] & 0xff) >> 2;
    String whole = read(input[0], List.of(stream));
    int at = Math.min(cut, stream.length);
    String parts =
        read(
            input[0],
            List.of(Arrays.copyOf(stream, at), Arrays.copyOfRange(stream, at, stream.length)));
    check(whole.equals(parts), "the same PDUs however the stream is cut: " + whole, parts);
    return whole.length() > 60 ? whole.substring(0, 60) : whole;
  }

  private static String read(int digests, List<byte[]> stream) {
    StringBuilder seen = new StringBuilder();
    PduReader reader =
        new PduReader(
            new PduReader.Sink() {
              private @Nullable InitiatorPdu begun;

              @Override
              public ByteBuf begin(InitiatorPdu pdu, int dataLength) {
                check(begun == null, "one PDU after the other", pdu);
                check(dataLength >= 0 && dataLength <= SEGMENT_MAX, "a short segment", dataLength);
                begun = pdu;
                return Unpooled.buffer(dataLength, dataLength);
              }

              @Override
              public void end(InitiatorPdu pdu, int dataLength) {
                check(pdu.equals(begun), "the PDU that began: " + begun, pdu);
                begun = null;
                seen.append(pdu.getClass().getSimpleName(), 0, 4).append(' ');
              }

              @Override
              public void broken(PduReader.Breach breach) {
                seen.append(breach);
              }
            },
            SEGMENT_MAX);
    reader.configure((digests & 1) != 0, (digests & 2) != 0, SEGMENT_MAX);
    stream.forEach(piece -> reader.read(Unpooled.wrappedBuffer(piece)));
    return seen.toString();
  }

  private static byte[] with(int first, byte[] rest) {
    return ByteBuffer.allocate(1 + rest.length).put((byte) first).put(rest).array();
  }

  /// A PDU without digests.
  static byte[] pdu(int tag, int opcode, int flags, byte[] data) {
    ByteBuffer header = ScriptedInitiator.header(opcode, flags);
    header.putInt(4, data.length).putInt(16, tag).putInt(20, -1).putInt(24, 1);
    return ByteBuffer.allocate(48 + data.length + (-data.length & 3)).put(header).put(data).array();
  }

  /// Sessions from their first byte to the end of the connection, on the thread of the fuzzer. The
  /// input is PDUs: a byte of flags, 48 bytes of header, the length of the data in two bytes and
  /// the data; the data segment's length in the header is put right unless the first flag is set.
  static final class Conversation implements FuzzTarget {
    private static final int BLOCK = 512;

    private final RamDisk disk = new RamDisk(TARGET, 1 << 16);
    private final RamDisk other = new RamDisk(TARGET + "2", 1 << 16);
    private final TargetNode node =
        ScriptedInitiator.node(PeerAndBystander.LIMITS, _ -> Optional.empty(), disk, other);
    private final ScriptedInitiator bystander = new ScriptedInitiator(node);

    Conversation() {
      disk.recordNothing();
      other.recordNothing();
      bystander.isid = 0x80_0000_09_0000L;
      bystander.channel().freezeTime(); // else it is asked whether it is alive
      bystander.sendLogin(
          0x87, 0, "InitiatorName=" + NAME + ".bystander", "TargetName=" + TARGET + "2");
      bystander.receive();
    }

    @Override
    public String name() {
      return "connection";
    }

    @Override
    public int lengthMax() {
      return 4000;
    }

    @Override
    public Bounds bounds() {
      return new Bounds(4 << 20, 4096, 100_000, 1000);
    }

    @Override
    public long share(long inputs) {
      return Math.max(1, inputs / 10);
    }

    @Override
    public List<byte[]> seeds() {
      byte[] login =
          part(
              0x43,
              0x87,
              0,
              1,
              ScriptedInitiator.text("InitiatorName=" + NAME, "TargetName=" + TARGET));
      byte[] digests =
          part(
              0x43,
              0x87,
              0,
              1,
              ScriptedInitiator.text(
                  "InitiatorName=" + NAME,
                  "TargetName=" + TARGET,
                  "InitialR2T=No",
                  "MaxOutstandingR2T=4"));
      byte[] discovery =
          part(
              0x43,
              0x87,
              0,
              1,
              ScriptedInitiator.text("InitiatorName=" + NAME, "SessionType=Discovery"));
      byte[] read = cdb(part(0x01, 0xc1, BLOCK, 1, new byte[0]), 0x28);
      byte[] write = cdb(part(0x01, 0xa1, BLOCK, 2, new byte[BLOCK]), 0x2a);
      byte[] collects = cdb(part(0x01, 0xa1, 2 * BLOCK, 1, new byte[0]), 0x2a);
      byte[] dataOut = part(0x05, 0x80, 1, 0, new byte[2 * BLOCK]);
      byte[] abort = part(0x42, 0x81, 1, 2, new byte[0]);
      byte[] reset = part(0x42, 0x85, 0, 2, new byte[0]);
      byte[] text = part(0x04, 0x80, -1, 1, ScriptedInitiator.text("SendTargets=All"));
      byte[] ping = part(0x40, 0x80, -1, 1, new byte[20]);
      byte[] logout = part(0x06, 0x80, 0, 2, new byte[0]);
      return List.of(
          join(login, read, write, logout),
          join(login, collects, dataOut, ping),
          join(digests, collects, dataOut, abort, reset),
          join(discovery, text, logout),
          join(login, part(0x10, 0x80, 0, 1, new byte[0]), ping));
    }

    @Override
    public List<byte[]> tokens() {
      return List.of(
          part(0x00, 0x80, -1, 1, new byte[0]),
          part(0x42, 0x86, 0, 1, new byte[0]),
          part(0x42, 0x87, 0, 1, new byte[0]),
          part(0x05, 0x00, 1, 0, new byte[BLOCK]));
    }

    @Override
    public String run(byte[] input) {
      long mistakes = node.counters().of(PeerFault.INTERNAL);
      ScriptedInitiator peer = new ScriptedInitiator(node);
      StringBuilder answers = new StringBuilder();
      for (byte[] pdu : pdus(input)) {
        if (peer.channel().isOpen()) {
          peer.sendRaw(pdu);
        }
      }
      boolean open = peer.channel().isOpen();
      peer.poll().ifPresent(it -> answers.append(it.opcode()).append('/').append(it.status()));
      peer.finish();
      check(node.counters().of(PeerFault.INTERNAL) == mistakes, "no mistake of ours", "one");
      checkNothingElseTouched();
      return answers + (open ? " open" : " closed");
    }

    private void checkNothingElseTouched() {
      check(node.dataMemory().used() == 0, "all memory given back", node.dataMemory().used());
      check(bystander.channel().isOpen(), "the other session to stay", "its end");
      ByteBuffer blocks = other.content();
      for (int at = 0; at < blocks.capacity(); at += Long.BYTES) {
        if (blocks.getLong(at) != 0) {
          throw new AssertionError("expected the other disk untouched, got a change at " + at);
        }
      }
      bystander.ping(0x7777, new byte[4]);
      ScriptedInitiator.Received pong = bystander.receive();
      check(pong.word(16) == 0x7777, "an answer to the other session", pong.hex());
      bystander.expectNothing();
    }

    @Override
    public void close() {
      bystander.finish();
    }

    static List<byte[]> pdus(byte[] input) {
      List<byte[]> all = new ArrayList<>();
      ByteBuffer in = ByteBuffer.wrap(input);
      while (in.remaining() >= 51) {
        boolean asItIs = (in.get() & 1) != 0;
        byte[] header = new byte[48];
        in.get(header);
        byte[] data = new byte[Math.min(Short.toUnsignedInt(in.getShort()), in.remaining())];
        in.get(data);
        ByteBuffer out = ByteBuffer.allocate(48 + data.length + (-data.length & 3));
        out.put(header).put(data);
        if (!asItIs) {
          out.putInt(4, data.length); // without additional header segments too
        }
        all.add(out.array());
      }
      return all;
    }

    private static byte[] part(int opcode, int flags, int word20, int number, byte[] data) {
      ByteBuffer part = ByteBuffer.allocate(51 + data.length);
      part.put(1, (byte) opcode).put(2, (byte) flags);
      part.putInt(1 + 16, 1).putInt(1 + 20, word20).putInt(1 + 24, number);
      part.putShort(49, (short) data.length).put(51, data);
      return part.array();
    }

    private static byte[] cdb(byte[] part, int opcode) {
      part[1 + 32] = (byte) opcode;
      part[1 + 32 + 8] = 1;
      return part;
    }

    private static byte[] join(byte[]... parts) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      Arrays.stream(parts).forEach(out::writeBytes);
      return out.toByteArray();
    }
  }
}

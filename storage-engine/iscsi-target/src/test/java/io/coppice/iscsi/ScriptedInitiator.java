package io.coppice.iscsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.iscsi.connection.DataMemory;
import io.coppice.iscsi.connection.IscsiCounters;
import io.coppice.iscsi.connection.Portal;
import io.coppice.iscsi.session.LoginConversation;
import io.coppice.iscsi.session.LoginFailures;
import io.coppice.iscsi.session.Portals;
import io.coppice.iscsi.session.Sessions;
import io.coppice.iscsi.session.TargetNode;
import io.coppice.iscsi.setting.IscsiLimits;
import io.coppice.iscsi.setting.IscsiSettings;
import io.coppice.scsi.secret.InitiatorSecrets;
import io.coppice.scsi.transport.TargetDevice;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.CRC32C;

/// An initiator that says what a test tells it to, over a connection without a socket. It builds
/// and reads headers by itself, from the offsets of RFC 7143 §11.
final class ScriptedInitiator {

  static final String NAME = "iqn.2026-11.example:host";
  static final String TARGET = "iqn.2026-11.io.coppice:ram";
  static final int NO_TAG = 0xffffffff;

  static final String READ_10 = "28 00 00000000 00 %04x 00";
  static final String WRITE_10 = "2a 00 00000000 00 %04x 00";

  /// A PDU from the target.
  record Received(ByteBuffer header, byte[] data) {
    int opcode() {
      return header.get(0) & 0x3f;
    }

    int flags() {
      return Byte.toUnsignedInt(header.get(1));
    }

    int unsignedByte(int offset) {
      return Byte.toUnsignedInt(header.get(offset));
    }

    int word(int offset) {
      return header.getInt(offset);
    }

    int status() {
      return Short.toUnsignedInt(header.getShort(36));
    }

    List<String> text() {
      return List.of(new String(data, StandardCharsets.UTF_8).split("\0"));
    }

    String hex() {
      return HexFormat.of().formatHex(header.array(), 0, 48);
    }
  }

  private final ScarceMemory memory = new ScarceMemory();

  /// Memory that can be made to run out.
  private static final class ScarceMemory extends AbstractByteBufAllocator {
    private final UnpooledByteBufAllocator source = new UnpooledByteBufAllocator(true);
    private int longest = Integer.MAX_VALUE;
    private int left = Integer.MAX_VALUE;

    ScarceMemory() {
      super(true);
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
      countDown();
      return source.heapBuffer(initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
      countDown();
      if (initialCapacity > longest) {
        throw new OutOfMemoryError("as the test wants it");
      }
      return source.directBuffer(initialCapacity, maxCapacity);
    }

    @Override
    public boolean isDirectBufferPooled() {
      return false;
    }

    private void countDown() {
      left--;
      if (left == 0) {
        throw new OutOfMemoryError("as the test wants it");
      }
    }

    ByteBufAllocatorMetric metric() {
      return source.metric();
    }
  }

  private final EmbeddedChannel channel;
  private final ByteArrayOutputStream unread = new ByteArrayOutputStream();
  private boolean headerDigest;
  private boolean dataDigest;
  private int seenStatSn;
  int cmdSn = 1;
  String name = NAME;
  long isid = 0x80_0000_01_0000L;
  int cid;
  int loginTag = 0x10;

  ScriptedInitiator(TargetNode node) {
    this(node, node.portals().all().getFirst());
  }

  ScriptedInitiator(TargetNode node, Portal portal) {
    channel = new EmbeddedChannel();
    channel.config().setAllocator(memory);
    channel.pipeline().addLast(LoginConversation.connection(node, portal, channel));
  }

  static TargetNode node(TargetDevice... targets) {
    return node(IscsiLimits.defaults(), _ -> Optional.empty(), targets);
  }

  static TargetNode node(IscsiLimits limits, InitiatorSecrets secrets, TargetDevice... targets) {
    IscsiSettings base = IscsiSettings.loopback();
    Portals portals = new Portals(List.of("192.0.2.7:3260"), limits.sessions().connections());
    portals.add(base.listen().getFirst());
    DataMemory memory = new DataMemory(limits.commands().dataMemory());
    return new TargetNode(
        new IscsiSettings(base.listen(), List.of("192.0.2.7:3260"), limits, 1),
        List.of(targets),
        secrets,
        portals,
        new Sessions(limits.sessions(), memory),
        memory,
        new IscsiCounters(),
        new LoginFailures(InstantSource.system()));
  }

  EmbeddedChannel channel() {
    return channel;
  }

  /// Has the target's process run out of memory for buffers above that length in bytes.
  void limitMemory(int longest) {
    memory.longest = longest;
  }

  /// Has the target's process run out of memory for a buffer once: for that one from now on,
  /// counted from 1.
  void failAllocation(int number) {
    memory.left = number;
  }

  /// Whether the allocation of [#failAllocation] has come.
  boolean hasFailedAllocation() {
    return memory.left <= 0;
  }

  /// Ends the connection and checks that every buffer of it was given back.
  void finish() {
    channel.finishAndReleaseAll();
    channel.runPendingTasks();
    assertThat(memory.metric().usedDirectMemory()).as("direct memory leaked").isZero();
    assertThat(memory.metric().usedHeapMemory()).as("heap buffers leaked").isZero();
  }

  void useDigests(boolean header, boolean data) {
    headerDigest = header;
    dataDigest = data;
  }

  /// Logs in to a normal session without security; keys as `k=v`.
  Received login(String... keys) {
    String[] all = new String[keys.length + 2];
    all[0] = "InitiatorName=" + name;
    all[1] = "TargetName=" + TARGET;
    System.arraycopy(keys, 0, all, 2, keys.length);
    sendLogin(0x87, 0, all);
    return loggedIn();
  }

  /// Logs in to a discovery session.
  Received discover() {
    sendLogin(0x87, 0, "InitiatorName=" + NAME, "SessionType=Discovery");
    return loggedIn();
  }

  private Received loggedIn() {
    Received response = receive();
    assertThat(response.opcode()).isEqualTo(0x23);
    assertThat(response.status()).as("login status of %s", response.text()).isZero();
    assertThat(response.flags()).isEqualTo(0x87);
    return response;
  }

  /// A login request with the given flags byte, e.g. 87 for operational to full feature.
  void sendLogin(int flags, int tsih, String... keys) {
    sendLoginText(flags, tsih, text(keys));
  }

  void sendLoginText(int flags, int tsih, byte[] text) {
    ByteBuffer header = header(0x43, flags);
    header.putLong(8, isid << 16 | tsih).putInt(16, loginTag).putShort(20, (short) cid);
    header.putInt(24, cmdSn);
    send(header, text);
  }

  static byte[] text(String... keys) {
    return keys.length == 0
        ? new byte[0]
        : (String.join("\0", keys) + "\0").getBytes(StandardCharsets.UTF_8);
  }

  static ByteBuffer header(int opcode, int flags) {
    return ByteBuffer.allocate(48).put(0, (byte) opcode).put(1, (byte) flags);
  }

  /// A SCSI command with the next CmdSN; flags such as c1 (final, read, simple).
  void command(int itt, int flags, int expected, String cdb, byte[] immediate) {
    send(commandHeader(itt, flags, expected, cdb, cmdSn++), immediate);
  }

  void command(int itt, int flags, int expected, String cdb) {
    command(itt, flags, expected, cdb, new byte[0]);
  }

  static ByteBuffer commandHeader(int itt, int flags, int expected, String cdb, int cmdSn) {
    ByteBuffer header = header(0x01, flags);
    header.putInt(16, itt).putInt(20, expected).putInt(24, cmdSn);
    return header.put(32, bytes(cdb));
  }

  void dataOut(int itt, int ttt, boolean last, int dataSn, int offset, byte[] data) {
    ByteBuffer header = header(0x05, last ? 0x80 : 0);
    header.putInt(16, itt).putInt(20, ttt).putInt(36, dataSn).putInt(40, offset);
    send(header, data);
  }

  /// An immediate task management request from an initiator that has seen every status so far.
  void manage(int itt, int function, int referencedTag, int refCmdSn) {
    manage(itt, function, referencedTag, refCmdSn, seenStatSn + 1);
  }

  void manage(int itt, int function, int referencedTag, int refCmdSn, int expStatSn) {
    ByteBuffer header = header(0x42, 0x80 | function);
    header.putInt(16, itt).putInt(20, referencedTag).putInt(24, cmdSn).putInt(32, refCmdSn);
    header.putInt(28, expStatSn);
    send(header);
  }

  /// As [#manage(int,int,int,int)], at a LUN.
  void manageAt(long lun, int itt, int function, int referencedTag, int refCmdSn) {
    ByteBuffer header = header(0x42, 0x80 | function).putLong(8, lun);
    header.putInt(16, itt).putInt(20, referencedTag).putInt(24, cmdSn).putInt(32, refCmdSn);
    send(header.putInt(28, seenStatSn + 1));
  }

  void logout(int itt, int reason) {
    send(header(0x46, 0x80 | reason).putInt(16, itt).putInt(24, cmdSn));
  }

  /// A ping with a number.
  void pingInTurn(int itt, int number, byte[] data) {
    send(header(0x00, 0x80).putInt(16, itt).putInt(20, NO_TAG).putInt(24, number), data);
  }

  void ping(int itt, byte[] data) {
    send(header(0x40, 0x80).putInt(16, itt).putInt(20, NO_TAG).putInt(24, cmdSn), data);
  }

  void send(ByteBuffer header) {
    send(header, new byte[0]);
  }

  void send(ByteBuffer header, byte[] data) {
    sendRaw(encode(header, data));
  }

  /// A PDU's bytes: length filled in, data padded, digests added if they are on.
  byte[] encode(ByteBuffer header, byte[] data) {
    header.putInt(4, header.getInt(4) & 0xff000000 | data.length);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(header.array());
    if (headerDigest) {
      out.writeBytes(crc(header.array()));
    }
    byte[] padded = new byte[data.length + (-data.length & 3)];
    System.arraycopy(data, 0, padded, 0, data.length);
    out.writeBytes(padded);
    if (dataDigest && data.length > 0) {
      out.writeBytes(crc(padded));
    }
    return out.toByteArray();
  }

  static byte[] crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return ByteBuffer.allocate(4).putInt(Integer.reverseBytes((int) crc.getValue())).array();
  }

  void sendRaw(byte[] bytes) {
    channel.writeInbound(Unpooled.copiedBuffer(bytes));
    channel.runPendingTasks();
  }

  /// The next PDU from the target; fails if there is none.
  Received receive() {
    return poll().orElseThrow(() -> new AssertionError("expected a PDU from the target, got none"));
  }

  Optional<Received> poll() {
    channel.runPendingTasks();
    ByteBuf out = channel.readOutbound();
    while (out != null) {
      byte[] bytes = new byte[out.readableBytes()];
      out.readBytes(bytes);
      out.release();
      unread.writeBytes(bytes);
      out = channel.readOutbound();
    }
    ByteBuffer bytes = ByteBuffer.wrap(unread.toByteArray());
    if (bytes.remaining() < 48) {
      return Optional.empty();
    }
    byte[] header = new byte[48];
    bytes.get(header);
    if (headerDigest) {
      byte[] digest = new byte[4];
      bytes.get(digest);
      assertThat(digest).as("header digest").isEqualTo(crc(header));
    }
    int length = ByteBuffer.wrap(header).getInt(4) & 0xffffff;
    byte[] padded = new byte[length + (-length & 3)];
    bytes.get(padded);
    if (dataDigest && length > 0) {
      byte[] digest = new byte[4];
      bytes.get(digest);
      assertThat(digest).as("data digest").isEqualTo(crc(padded));
    }
    byte[] rest = new byte[bytes.remaining()];
    bytes.get(rest);
    unread.reset();
    unread.writeBytes(rest);
    byte[] data = Arrays.copyOf(padded, length);
    Received received = new Received(ByteBuffer.wrap(header), data);
    if (received.opcode() != 0x25 || (received.flags() & 1) != 0) {
      seenStatSn = received.word(24);
    }
    return Optional.of(received);
  }

  void expectNothing() {
    poll()
        .ifPresent(
            it -> {
              throw new AssertionError("expected no PDU, got " + it.hex());
            });
  }

  void expectDropped() {
    channel.runPendingTasks();
    assertThat(channel.isOpen()).as("connection open").isFalse();
  }

  static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  /// `length` bytes that differ from place to place.
  static byte[] pattern(int length, int seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}

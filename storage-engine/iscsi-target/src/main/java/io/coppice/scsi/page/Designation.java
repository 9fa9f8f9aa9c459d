package io.coppice.scsi.page;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/// Device Identification VPD page 83h (SPC-5 §7.7.6): the identity of the logical unit, and the
/// port through which it was asked.
///
/// | Component | Meaning |
/// |---|---|
/// | `naa` | NAA IEEE Registered Extended identifier of the unit |
/// | `uuid` | the unit's UUID, as designator type Ah |
/// | `port` | where it was asked |
public record Designation(NetworkAddress naa, UUID uuid, Port port) {

  /// The target port through which the question came.
  ///
  /// @param target iSCSI name of the target
  /// @param group target port group and relative port identifier, 1 to 65535
  /// @param portalGroup iSCSI target portal group tag
  public record Port(String target, int group, int portalGroup) {}

  private static final int HEADER = 4;
  private static final int BINARY = 0x01;
  private static final int UTF_8 = 0x03;
  private static final int ISCSI = 0x50;
  private static final int OF_UNIT = 0x00;
  private static final int OF_PORT = 0x90; // PIV, association 01b
  private static final int OF_DEVICE = 0xa0; // PIV, association 10b
  private static final int TYPE_NAA = 0x03;
  private static final int TYPE_RELATIVE_PORT = 0x04;
  private static final int TYPE_PORT_GROUP = 0x05;
  private static final int TYPE_NAME = 0x08;
  private static final int TYPE_UUID = 0x0a;

  public ByteBuffer encode() {
    byte[] portName = name("%s,t,0x%04x".formatted(port.target(), port.portalGroup()));
    byte[] deviceName = name(port.target());
    int length = 20 + 22 + 8 + 8 + HEADER + portName.length + HEADER + deviceName.length;
    ByteBuffer to = ByteBuffer.allocate(HEADER + length);
    to.put((byte) 0).put((byte) 0x83).putShort((short) length);
    header(to, BINARY, OF_UNIT | TYPE_NAA, NetworkAddress.LENGTH);
    to.putLong(naa.high()).putLong(naa.low());
    header(to, BINARY, OF_UNIT | TYPE_UUID, 18);
    to.put((byte) 0x10).put((byte) 0);
    to.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
    header(to, ISCSI | BINARY, OF_PORT | TYPE_RELATIVE_PORT, 4);
    to.putInt(port.group());
    header(to, ISCSI | BINARY, OF_PORT | TYPE_PORT_GROUP, 4);
    to.putInt(port.group());
    header(to, ISCSI | UTF_8, OF_PORT | TYPE_NAME, portName.length);
    to.put(portName);
    header(to, ISCSI | UTF_8, OF_DEVICE | TYPE_NAME, deviceName.length);
    return to.put(deviceName).flip();
  }

  /// SCSI Ports VPD page 88h (SPC-5 §7.7.14): the port of the question, with its name.
  public static ByteBuffer ports(Port port) {
    byte[] portName = name("%s,t,0x%04x".formatted(port.target(), port.portalGroup()));
    int designator = HEADER + portName.length;
    ByteBuffer to = ByteBuffer.allocate(HEADER + 12 + designator);
    to.put((byte) 0).put((byte) 0x88).putShort((short) (12 + designator));
    to.putShort((short) 0).putShort((short) port.group()).putInt(0); // no initiator port
    to.putShort((short) 0).putShort((short) designator);
    header(to, ISCSI | UTF_8, OF_PORT | TYPE_NAME, portName.length);
    return to.put(portName).flip();
  }

  private static void header(ByteBuffer to, int codeSet, int type, int length) {
    to.put((byte) codeSet).put((byte) type).put((byte) 0).put((byte) length);
  }

  /// A SCSI name string: null-terminated, padded to a multiple of 4 bytes (SPC-5 §7.7.6.11).
  private static byte[] name(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    byte[] padded = new byte[(bytes.length + 4) / 4 * 4];
    System.arraycopy(bytes, 0, padded, 0, bytes.length);
    return padded;
  }
}

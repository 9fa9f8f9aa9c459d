package io.coppice.scsi.page;

import io.coppice.scsi.reservation.PersistentReservation;
import io.coppice.scsi.reservation.Registrant;
import io.coppice.scsi.reservation.Registration;
import io.coppice.scsi.reservation.Reservations;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// PERSISTENT RESERVE IN parameter data (SPC-4 §6.15).
public final class ReservationData {

  private static final int HEADER = 8;
  private static final int STATUS_DESCRIPTOR = 24;
  private static final int SHORTEST_TRANSPORT_ID = 20;

  private ReservationData() {}

  /// READ KEYS.
  public static ByteBuffer keys(Reservations now) {
    ByteBuffer to = header(now, 8 * now.registrations().size());
    now.registrations().values().forEach(registration -> to.putLong(registration.key()));
    return to.flip();
  }

  /// READ RESERVATION.
  public static ByteBuffer reservation(Reservations now) {
    PersistentReservation held = now.holding();
    if (held == null) {
      return header(now, 0).flip();
    }
    Registrant holder = held.holder();
    Registration holders = holder == null ? null : now.registrations().get(holder);
    ByteBuffer to = header(now, 16);
    to.putLong(holders == null ? 0 : holders.key()).putInt(0);
    return to.put((byte) 0).put((byte) held.type().code()).putShort((short) 0).flip();
  }

  /// REPORT CAPABILITIES: CRH, ATP_C and PTPL_C, and all six types. There is no SPEC_I_PT, and
  /// nothing is said about commands allowed beyond the standard's table.
  public static ByteBuffer capabilities(Reservations now) {
    ByteBuffer to = ByteBuffer.allocate(8).putShort((short) 8).put((byte) 0x15);
    to.put((byte) (now.persistent() ? 0x81 : 0x80));
    return to.putShort((short) 0xea01).putShort((short) 0).flip();
  }

  /// READ FULL STATUS.
  public static ByteBuffer fullStatus(Reservations now) {
    List<byte[]> identifiers = new ArrayList<>();
    int length = 0;
    for (Registrant registrant : now.registrations().keySet()) {
      byte[] identifier = transportId(registrant);
      identifiers.add(identifier);
      length += STATUS_DESCRIPTOR + identifier.length;
    }
    ByteBuffer to = header(now, length);
    int next = 0;
    for (Map.Entry<Registrant, Registration> entry : now.registrations().entrySet()) {
      put(to, now, entry.getKey(), entry.getValue());
      byte[] identifier = identifiers.get(next++);
      to.putInt(identifier.length).put(identifier);
    }
    return to.flip();
  }

  private static void put(
      ByteBuffer to, Reservations now, Registrant registrant, Registration registration) {
    PersistentReservation held = now.holding();
    boolean holds = held != null && now.isHolder(registrant);
    to.putLong(registration.key()).putInt(0);
    to.put((byte) ((registration.allPorts() ? 0x02 : 0) | (holds ? 0x01 : 0)));
    to.put((byte) (holds && held != null ? held.type().code() : 0)).putInt(0);
    to.putShort((short) registrant.port());
  }

  /// TransportID of an iSCSI initiator port: name and ISID (SPC-4 §7.6.4.6, format 01b).
  public static byte[] transportId(Registrant registrant) {
    byte[] text =
        "%s,i,0x%012x"
            .formatted(registrant.name(), registrant.isid())
            .getBytes(StandardCharsets.UTF_8);
    int length = Math.max(SHORTEST_TRANSPORT_ID, text.length + 4 & ~3); // ends with at least one 0
    ByteBuffer to = ByteBuffer.allocate(4 + length);
    to.put((byte) 0x45).put((byte) 0).putShort((short) length).put(text);
    return to.array();
  }

  private static ByteBuffer header(Reservations now, int length) {
    return ByteBuffer.allocate(HEADER + length).putInt(now.generation()).putInt(length);
  }
}

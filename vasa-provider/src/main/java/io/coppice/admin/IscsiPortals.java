package io.coppice.admin;

import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// The iSCSI transport of this process. Safe for any thread.
public interface IscsiPortals {

  /// @param number its name in the API, counted from 1 in the order of the settings
  /// @param address `address:port`, as initiators learn it
  /// @param draining whether logins are sent to other portals and sessions are asked to leave
  /// @param sessions that are still there
  /// @param away sessions that this portal has sent to others and that belong here
  record Portal(int number, String address, boolean draining, int sessions, int away) {}

  /// @param isid 12 hex digits
  /// @param target its iSCSI name; null for a discovery session
  /// @param portal `address:port` of ours
  /// @param address `address:port` of the initiator
  /// @param since its last login
  /// @param headerDigest whether headers carry a CRC32C
  /// @param dataDigest whether data carries a CRC32C
  record Session(
      String initiator,
      String isid,
      @Nullable String target,
      String portal,
      String address,
      Instant since,
      boolean headerDigest,
      boolean dataDigest) {}

  List<Portal> portals();

  /// The sessions that are open.
  List<Session> sessions();

  /// Begins to empty a portal; returns at once.
  ///
  /// @return false if there is no such portal
  boolean drain(int number);

  /// Ends a drain, and asks the initiators of sessions that were sent away to come back.
  ///
  /// @return false if there is no such portal
  boolean undrain(int number);

  /// Sessions that were opened since the start.
  long logins();

  /// Logins that were sent to another portal since the start.
  long redirects();

  /// Faults of initiators, and faults that befell them, since the start: their number by kind.
  SortedMap<String, Long> violations();
}

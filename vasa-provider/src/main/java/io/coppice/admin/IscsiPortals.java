package io.coppice.admin;

import java.util.List;
import java.util.SortedMap;

/// The iSCSI transport of this process. Safe for any thread.
public interface IscsiPortals {

  /// @param number its name in the API, counted from 1 in the order of the settings
  /// @param address `address:port`, as initiators learn it
  /// @param draining whether logins are sent to other portals and sessions are asked to leave
  /// @param sessions that are still there
  /// @param away sessions that this portal has sent to others and that belong here
  record Portal(int number, String address, boolean draining, int sessions, int away) {}

  List<Portal> portals();

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

package io.coppice.admin;

import io.coppice.api.iscsi.IscsiPortal;
import io.coppice.api.iscsi.IscsiSession;
import io.coppice.api.iscsi.RefusedLogin;
import java.util.List;
import java.util.SortedMap;

/// The iSCSI transport of this process. Safe for any thread.
public interface IscsiPortals {

  List<IscsiPortal> portals();

  /// The sessions that are open.
  List<IscsiSession> sessions();

  /// The last logins that were not let in, a bounded number.
  List<RefusedLogin> refusedLogins();

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

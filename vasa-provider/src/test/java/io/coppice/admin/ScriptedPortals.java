package io.coppice.admin;

import io.coppice.api.iscsi.IscsiPortal;
import io.coppice.api.iscsi.IscsiSession;
import io.coppice.api.iscsi.RefusedLogin;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// Two portals without a transport.
final class ScriptedPortals implements IscsiPortals {

  /// Those that are open besides two that always are.
  final List<IscsiSession> others = new CopyOnWriteArrayList<>();

  private final Set<Integer> draining = new ConcurrentSkipListSet<>();

  @Override
  public List<IscsiPortal> portals() {
    return List.of(
        new IscsiPortal(1, "127.0.0.1:3260", draining.contains(1), 3, 1),
        new IscsiPortal(2, "[::1]:3260", draining.contains(2), 0, 0));
  }

  @Override
  public List<IscsiSession> sessions() {
    List<IscsiSession> all = new ArrayList<>(others);
    all.add(session("iqn.2026-11.test:b", "iqn:lun"));
    all.add(session("iqn.2026-11.test:a", null));
    return all;
  }

  static IscsiSession session(String initiator, @Nullable String target) {
    return new IscsiSession(
        initiator,
        "00023d000001",
        target,
        "127.0.0.1:3260",
        "127.0.0.9:4000",
        Instant.parse("2026-11-01T12:00:00Z"),
        true,
        false,
        250L);
  }

  @Override
  public List<RefusedLogin> refusedLogins() {
    return List.of(
        refused("192.0.2.1", "iqn.2026-11.test:a", "0202", "2026-11-01T12:00:00Z"),
        refused("192.0.2.2", null, null, "2026-11-01T12:00:05Z"));
  }

  private static RefusedLogin refused(
      String address, @Nullable String initiator, @Nullable String status, String last) {
    return new RefusedLogin(
        address,
        "127.0.0.1:3260",
        initiator,
        initiator == null ? null : "iqn:lun",
        status,
        "It was wrong.",
        "Mend it.",
        3,
        Instant.parse("2026-11-01T11:00:00Z"),
        Instant.parse(last));
  }

  @Override
  public boolean drain(int number) {
    if (exists(number)) {
      draining.add(number);
    }
    return exists(number);
  }

  @Override
  public boolean undrain(int number) {
    draining.remove(number);
    return exists(number);
  }

  private static boolean exists(int number) {
    return number == 1 || number == 2;
  }

  @Override
  public long logins() {
    return 7;
  }

  @Override
  public long redirects() {
    return 2;
  }

  @Override
  public SortedMap<String, Long> violations() {
    return new TreeMap<>(Map.of("dataDigest", 5L));
  }
}

package io.coppice.vasa.session;

import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The guard of the password of registrations. It checks the password, slows down guessing, and
/// remembers for a while the clients that knew it.
///
/// Safe for any thread. Its memory is bounded and ends with the process.
public final class LoginGuard {

  private static final Logger log = LoggerFactory.getLogger(LoginGuard.class);

  /// Most wrong passwords that wait for their answer at a time. While so many wait, no other is
  /// looked at, right or wrong: otherwise further guesses would be answered as fast as they come.
  private static final int WAITING = 8;

  private static final int MOST_DOUBLINGS = 4;
  private static final Duration BETWEEN_LINES = Duration.ofMinutes(1);
  private static final int REMEMBERED = 1024;
  private static final Duration FORGET_FAILURES = Duration.ofMinutes(15);

  private final String userName;
  private final Supplier<String> password;
  private final Duration delay;
  private final Duration renewalWindow;
  private final InstantSource clock;
  private final AtomicLong refused = new AtomicLong();

  // Guarded by this; oldest first.
  private final Map<String, Failures> failures = bounded();
  private final Map<String, Login> logins = bounded();
  private final Set<String> guessing = new HashSet<>();
  private long unlooked;
  private Instant lastReport = Instant.EPOCH.minus(BETWEEN_LINES);

  /// @param password read at each check, so that the file can be changed while we run
  public LoginGuard(
      String userName, Supplier<String> password, SessionLimits limits, InstantSource clock) {
    this.userName = userName;
    this.password = password;
    this.delay = limits.wrongPasswordDelay();
    this.renewalWindow = limits.renewalWindow();
    this.clock = clock;
  }

  private record Failures(int count, Instant last) {}

  private record Login(UUID trustSet, Instant at) {}

  /// Wrong passwords since the start.
  public long refused() {
    return refused.get();
  }

  /// @throws VasaException (InvalidLogin) after a delay if the name or the password is wrong;
  ///   (VasaProviderBusy) if too many wrong ones wait already, or one from this address: then
  ///   nothing was compared
  void check(String user, String secret, String address) {
    String guesser = ClientNetwork.of(address);
    Duration pause;
    synchronized (this) {
      if (guessing.size() >= WAITING || guessing.contains(guesser)) {
        refused.incrementAndGet();
        reportUnlooked(address);
        throw VasaException.busy(
            "registrations with a wrong password are being answered; call again later");
      }
      if (isRight(user, secret)) {
        failures.remove(guesser);
        return;
      }
      refused.incrementAndGet();
      guessing.add(guesser);
      int before = count(guesser);
      log.atWarn()
          .addKeyValue("address", address)
          .addKeyValue("failures", before + 1)
          .log("registration with a wrong user name or password");
      pause = delay.multipliedBy(1L << Math.min(before, MOST_DOUBLINGS));
    }
    try {
      pause(pause);
    } finally {
      synchronized (this) {
        guessing.remove(guesser);
      }
    }
    throw new VasaException(new Fault.InvalidLogin(), "the user name or the password is wrong");
  }

  /// Compares both always, so that the time taken reveals nothing.
  private boolean isRight(String user, String secret) {
    return same(user, userName) & same(secret, password.get());
  }

  /// Logs once in [#BETWEEN_LINES], with their number. Guarded by this.
  private void reportUnlooked(String address) {
    unlooked++;
    Instant now = clock.instant();
    if (now.isBefore(lastReport.plus(BETWEEN_LINES))) {
      return;
    }
    log.atWarn()
        .addKeyValue("address", address)
        .addKeyValue("registrations", unlooked)
        .log("registrations not looked at, since wrong passwords wait for their answer");
    lastReport = now;
    unlooked = 0;
  }

  /// Remembers that a registration from this address made or renewed a set.
  synchronized void remember(String address, UUID trustSet) {
    logins.remove(address);
    logins.put(address, new Login(trustSet, clock.instant()));
  }

  /// The set that was registered from this address within the window.
  synchronized Optional<UUID> recentRegistration(String address) {
    return Optional.ofNullable(logins.get(address))
        .filter(login -> clock.instant().isBefore(login.at().plus(renewalWindow)))
        .map(Login::trustSet);
  }

  /// Guarded by this.
  private int count(String address) {
    Instant now = clock.instant();
    Failures known = failures.remove(address);
    int before =
        known == null || now.isAfter(known.last().plus(FORGET_FAILURES)) ? 0 : known.count();
    failures.put(address, new Failures(before + 1, now));
    return before;
  }

  private static void pause(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
    }
  }

  private static boolean same(String a, String b) {
    return MessageDigest.isEqual(
        a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }

  private static <V> Map<String, V> bounded() {
    return new LinkedHashMap<>() {
      @Override
      protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
        return size() > REMEMBERED;
      }
    };
  }
}

package io.coppice.admin.login;

import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.vasa.session.ClientNetwork;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Component;

/// The back-off after wrong passwords and tokens. Whoever must wait is told so at once (429), and
/// what he sent is not looked at: no thread sleeps, and nothing is hashed.
///
/// The waits double, up to `coppice.accounts.longest-wait`, and go by three counts:
///
/// - of one name from one address, after three wrong passwords;
/// - of one address, after twenty wrong secrets for any names. A name that logged in from there
///   before is let through;
/// - of one name from all addresses: after twenty, its waits are 32 times as long, but only at
///   addresses that have guessed it wrong themselves.
///
/// So an account is never locked for its owner: the first tries from another address are always
/// looked at, and where he logged in before only his own mistakes count. An attempt counts as wrong
/// from its beginning, so that many at once gain nothing. A network of IPv6 (/64) is one address.
///
/// Safe for any thread. The memory is bounded, ends with the process, and forgets after 15 minutes
/// without a wrong secret.
@Component
public final class WrongSecrets {

  static final int FREE_OF_PAIR = 3;
  static final int FREE_OF_ADDRESS = 20;

  /// Wrong passwords for one name after which its waits are longer.
  static final int ATTACKED = 20;

  /// Entries of each of the maps; the one that was used longest ago goes.
  static final int REMEMBERED = 10_000;

  private static final int MORE_DOUBLINGS = 5;
  private static final int MOST_DOUBLINGS = 20;
  private static final Duration FORGET = Duration.ofMinutes(15);

  private final Duration longestWait;
  private final InstantSource clock;

  // Guarded by this; the one used longest ago first.
  private final Map<String, Failures> ofAddresses = bounded();
  private final Map<String, Failures> ofNames = bounded();
  private final Map<Pair, Failures> ofPairs = bounded();
  private final Map<Pair, Boolean> welcome = bounded();

  private final AtomicLong wrongPasswords = new AtomicLong();
  private final AtomicLong wrongTokens = new AtomicLong();
  private final AtomicLong unlooked = new AtomicLong();

  WrongSecrets(LoginSettings settings, InstantSource clock) {
    this.longestWait = settings.longestWait();
    this.clock = clock;
  }

  private record Failures(int count, Instant last) {}

  private record Pair(String address, String name) {}

  /// Wrong passwords since the start.
  public long wrongPasswords() {
    return wrongPasswords.get();
  }

  /// Wrong tokens since the start.
  public long wrongTokens() {
    return wrongTokens.get();
  }

  /// Attempts since the start that were not looked at.
  public long unlooked() {
    return unlooked.get();
  }

  /// Begins a login, which counts as wrong until [#right] is told.
  ///
  /// @param name of the account as it was typed
  /// @throws RequestRejectedException (429) if one must wait; then nothing may be compared
  synchronized void begin(String from, String name) {
    Pair pair = pair(from, name);
    Duration wait = waitOf(ofPairs, pair, FREE_OF_PAIR, moreDoublings(pair.name()));
    if (!welcome.containsKey(pair)) {
      wait = longer(wait, waitOf(ofAddresses, pair.address(), FREE_OF_ADDRESS, 0));
    }
    refuseDuring(wait);
    wrongPasswords.incrementAndGet();
    add(ofPairs, pair);
    add(ofAddresses, pair.address());
    add(ofNames, pair.name());
  }

  /// Takes back what [#begin] counted, because nothing was compared, or no source could tell. It is
  /// no proof either, so it forgives nothing that was wrong before.
  synchronized void undecided(String from, String name) {
    Pair pair = pair(from, name);
    wrongPasswords.decrementAndGet();
    takeBack(ofPairs, pair);
    takeBack(ofAddresses, pair.address());
    takeBack(ofNames, pair.name());
  }

  /// Takes back what [#begin] counted, because the password was right.
  synchronized void right(String from, String name) {
    Pair pair = pair(from, name);
    wrongPasswords.decrementAndGet();
    ofPairs.remove(pair);
    takeBack(ofAddresses, pair.address());
    takeBack(ofNames, pair.name());
    welcome.put(pair, true);
  }

  /// Refuses a token that was not seen before from an address that has sent many wrong ones.
  ///
  /// @throws RequestRejectedException (429) if one must wait; then nothing may be looked up
  public synchronized void requirePatience(String from) {
    refuseDuring(waitOf(ofAddresses, ClientNetwork.of(from), FREE_OF_ADDRESS, 0));
  }

  /// Counts a token that nobody has.
  public synchronized void wrongToken(String from) {
    wrongTokens.incrementAndGet();
    add(ofAddresses, ClientNetwork.of(from));
  }

  private int moreDoublings(String name) {
    Failures known = ofNames.get(name);
    return known != null && isFresh(known) && known.count() >= ATTACKED ? MORE_DOUBLINGS : 0;
  }

  /// The rest of the wait that an entry causes; zero if none.
  private <K> Duration waitOf(Map<K, Failures> all, K key, int free, int more) {
    Failures known = all.get(key);
    if (known == null || !isFresh(known) || known.count() < free) {
      return Duration.ZERO;
    }
    int doublings = Math.min(known.count() - free + more, MOST_DOUBLINGS);
    Duration whole = Duration.ofSeconds(1L << doublings);
    Instant end = known.last().plus(whole.compareTo(longestWait) < 0 ? whole : longestWait);
    Duration rest = Duration.between(clock.instant(), end);
    return rest.isNegative() ? Duration.ZERO : rest;
  }

  /// Whether a failure still counts. After the clock was set back it does not: its wait would be as
  /// long as the step.
  private boolean isFresh(Failures known) {
    Instant now = clock.instant();
    return !now.isBefore(known.last()) && now.isBefore(known.last().plus(FORGET));
  }

  private void refuseDuring(Duration wait) {
    if (wait.isZero()) {
      return;
    }
    unlooked.incrementAndGet();
    throw RequestRejectedException.tooEarly(
        "too-many-tries",
        "too many wrong passwords or tokens came from here; this one was not looked at",
        wait);
  }

  private <K> void add(Map<K, Failures> all, K key) {
    Failures known = all.get(key);
    int before = known == null || !isFresh(known) ? 0 : known.count();
    all.put(key, new Failures(before + 1, clock.instant()));
  }

  private static <K> void takeBack(Map<K, Failures> all, K key) {
    all.computeIfPresent(
        key,
        (_, known) -> known.count() <= 1 ? null : new Failures(known.count() - 1, known.last()));
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? b : a;
  }

  private static Pair pair(String from, String name) {
    return new Pair(ClientNetwork.of(from), Accounts.folded(name));
  }

  private static <K, V> Map<K, V> bounded() {
    return new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > REMEMBERED;
      }
    };
  }
}

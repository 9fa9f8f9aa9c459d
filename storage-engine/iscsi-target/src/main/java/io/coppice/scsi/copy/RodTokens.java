package io.coppice.scsi.copy;

import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.scsi.limit.LimiterTimer;
import io.coppice.scsi.page.NetworkAddress;
import io.coppice.scsi.page.RodToken;
import io.coppice.scsi.page.RodType;
import io.coppice.scsi.parameter.RangeList;
import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.setting.TokenLimits;
import io.coppice.scsi.unit.VolumeUnit;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The ROD tokens of a pool (SPC-4 §5.17.6). Safe for any thread; making and ending tokens may
/// block.
///
/// A token holds a snapshot of its source, which costs no time and no copy. So it stands for the
/// data that the source had when the token was made, whatever became of it. The snapshot is marked
/// by an attribute, belongs to us alone, and goes with the token. Tokens are in memory: a restart
/// ends all of them, and snapshots that it left are removed when the target opens.
///
/// Whoever has the 512 bytes of a token may use it; 256 of them are random.
public final class RodTokens implements AutoCloseable {

  /// Marks the snapshot of a token.
  static final String ATTRIBUTE = "scsi.token";

  private static final System.Logger LOG = System.getLogger(RodTokens.class.getName());
  private static final Duration SNAPSHOT_TIMEOUT = Duration.ofSeconds(30);
  private static final long SECOND = 1_000_000_000L;

  /// The number of ended tokens whose end we can still tell.
  private static final int REMEMBERED = 4096;

  private final StorageEngine engine;
  private final TokenLimits limits;
  private final LimiterTimer alarm;

  /// Removes snapshots of tokens that have ended: as many jobs as there may be tokens.
  private final ThreadPoolExecutor remover =
      new ThreadPoolExecutor(
          1,
          1,
          10,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofPlatform().daemon().name("scsi-tokens").factory());

  private final NetworkAddress device;
  private final int physicalExponent;
  private final SecureRandom random = new SecureRandom();
  private final Map<Long, TokenData> live = new LinkedHashMap<>(); // guarded by this
  private final Map<Long, AdditionalSense> dead; // guarded by this
  private long nextId; // guarded by this
  private int making; // guarded by this: tokens not yet in `live`

  /// The times at which alarms are due. Each new one is earlier than all before it, so they are
  /// few, and one that finds nothing to do does no harm.
  private final PriorityQueue<Long> alarms = new PriorityQueue<>(); // guarded by this

  private boolean closed; // guarded by this

  public RodTokens(StorageEngine engine, ScsiSettings settings, LimiterTimer alarm) {
    this.engine = engine;
    this.limits = settings.limits().tokens();
    this.alarm = alarm;
    remover.allowCoreThreadTimeOut(true);
    this.device = NetworkAddress.of(settings.identity().companyId(), "device", engine.pool().id());
    this.physicalExponent = settings.medium().physicalExponent();
    this.nextId = random.nextLong();
    this.dead = new Oldest();
    for (VolumeInfo info : engine.list()) {
      if (isToken(info)) {
        drop(info.id());
      }
    }
  }

  private static final class Oldest extends LinkedHashMap<Long, AdditionalSense> {
    private static final long serialVersionUID = 1;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Long, AdditionalSense> eldest) {
      return size() > REMEMBERED;
    }
  }

  /// Whether a volume is the snapshot of a token.
  public static boolean isToken(VolumeInfo info) {
    return info.attributes().containsKey(ATTRIBUTE);
  }

  static long bytes(List<RangeList.Range> ranges) {
    return ranges.stream().mapToLong(RangeList.Range::blocks).sum() * VolumeUnit.BLOCK_SIZE;
  }

  /// Makes a token; empty if too many are in use. May block.
  ///
  /// @throws StorageException if the engine takes no snapshot
  Optional<TokenData> make(
      VolumeUnit unit, String owner, RodType type, List<RangeList.Range> ranges, long seconds) {
    long id;
    TokenData out = null;
    synchronized (this) {
      if (closed) {
        return Optional.empty();
      }
      if (live.size() + making >= limits.tokens()) {
        out = leastOfTheGreediest();
        if (out == null) {
          return Optional.empty();
        }
        end(out, AdditionalSense.TOKEN_CANCELLED);
      }
      making++;
      id = nextId++;
    }
    try {
      if (out != null) {
        drop(out.snapshot().id());
      }
      VolumeId snapshot = take(unit.volume().id());
      try {
        return enter(id, hold(id, snapshot, unit, new Order(owner, type, ranges, seconds)));
      } catch (RuntimeException | Error e) {
        drop(snapshot);
        throw e;
      }
    } finally {
      synchronized (this) {
        making--;
      }
    }
  }

  private VolumeId take(VolumeId source) {
    VolumeId snapshot = VolumeId.random();
    engine.snapshot(
        OperationId.random(),
        List.of(new SnapshotSpec(source, snapshot, Map.of(ATTRIBUTE, source.toString()))),
        SNAPSHOT_TIMEOUT);
    return snapshot;
  }

  private record Order(String owner, RodType type, List<RangeList.Range> ranges, long seconds) {}

  private TokenData hold(long id, VolumeId snapshot, VolumeUnit unit, Order order) {
    byte[] secret = new byte[RodToken.SECRET_LENGTH];
    random.nextBytes(secret);
    byte[] token =
        RodToken.encode(
            order.type(), id, unit.naa(), device, bytes(order.ranges()), physicalExponent, secret);
    long now = alarm.now();
    TokenData made =
        new TokenData(
            token,
            engine.open(snapshot),
            unit.volume().id(),
            order.owner(),
            order.ranges(),
            (order.seconds() == 0 ? limits.defaultTimeoutInSeconds() : order.seconds()) * SECOND,
            now + limits.lifetimeInSeconds() * SECOND);
    made.used = now;
    return made;
  }

  private Optional<TokenData> enter(long id, TokenData made) {
    synchronized (this) {
      if (!closed) {
        live.put(id, made);
        arm();
        return Optional.of(made);
      }
    }
    drop(made.snapshot().id());
    return Optional.empty();
  }

  /// The token unused for longest among those of the initiator that has most. So an initiator that
  /// makes many ends its own and nobody else's. Null if all of its tokens are in use.
  private @Nullable TokenData leastOfTheGreediest() {
    Map<String, Integer> counts = new HashMap<>();
    live.values().forEach(held -> counts.merge(held.owner(), 1, Integer::sum));
    return counts.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .flatMap(
            most ->
                live.values().stream()
                    .filter(held -> held.owner().equals(most.getKey()) && held.users == 0)
                    .min(Comparator.comparingLong(held -> held.used)))
        .orElse(null);
  }

  /// The result of looking up a token that came in.
  sealed interface Found {

    /// A token of ours; [RodTokens#release] must follow.
    record Held(TokenData copy) implements Found {}

    /// The block device zero token.
    record Zeros() implements Found {}

    /// A token that is no good, and why.
    record Refused(AdditionalSense why) implements Found {}
  }

  /// Looks up a token and keeps it from ending. The checks and their order are those of SPC-4
  /// §5.17.6.5.2.3.
  Found acquire(byte[] token) {
    if (!RodToken.hasLength(token)) {
      return new Found.Refused(AdditionalSense.INVALID_TOKEN_LENGTH);
    }
    Optional<RodType> type = RodType.of(RodToken.type(token)).filter(RodType::comesIn);
    if (type.isEmpty()) {
      return new Found.Refused(AdditionalSense.UNSUPPORTED_TOKEN_TYPE);
    }
    if (type.get() == RodType.ZERO) {
      return new Found.Zeros();
    }
    if (!RodToken.isWellFormed(token)) {
      return new Found.Refused(AdditionalSense.TOKEN_CORRUPT);
    }
    if (!RodToken.isOf(token, device)) {
      return new Found.Refused(AdditionalSense.REMOTE_TOKEN_USAGE_NOT_SUPPORTED);
    }
    return acquireOwn(token);
  }

  private synchronized Found acquireOwn(byte[] token) {
    TokenData held = live.get(RodToken.id(token));
    if (held == null) {
      return new Found.Refused(
          dead.getOrDefault(RodToken.id(token), AdditionalSense.TOKEN_UNKNOWN));
    }
    if (!MessageDigest.isEqual(held.token(), token)) {
      return new Found.Refused(AdditionalSense.TOKEN_CORRUPT);
    }
    if (held.users == 0 && held.deadline() <= alarm.now()) {
      return new Found.Refused(AdditionalSense.TOKEN_EXPIRED);
    }
    held.users++;
    return new Found.Held(held);
  }

  /// A command has used a token.
  ///
  /// @param delete whether it asked for its end
  void release(TokenData held, boolean delete) {
    synchronized (this) {
      held.users--;
      held.used = alarm.now();
      if (delete) {
        end(held, AdditionalSense.TOKEN_DELETED);
      }
      if (!held.gone || held.users > 0) {
        arm();
        return;
      }
    }
    dropLater(held);
  }

  /// Ends a token that its initiator will never hear of. May block.
  void discard(TokenData held) {
    synchronized (this) {
      end(held, AdditionalSense.TOKEN_CANCELLED);
    }
    drop(held.snapshot().id());
  }

  /// Nobody reaches the volume any more: tokens of its data end too.
  public void revoke(VolumeId volume) {
    List<TokenData> due = new ArrayList<>();
    synchronized (this) {
      for (TokenData held : List.copyOf(live.values())) {
        if (held.source().equals(volume)) {
          end(held, AdditionalSense.TOKEN_REVOKED);
          if (held.users == 0) {
            due.add(held);
          }
        }
      }
    }
    due.forEach(this::dropLater);
  }

  /// The management tokens of a unit's copy manager.
  synchronized List<byte[]> of(VolumeId volume) {
    return live.values().stream()
        .filter(held -> held.source().equals(volume))
        .map(held -> RodToken.management(held.token()))
        .toList();
  }

  /// From now on nobody gets it; its snapshot goes with its last user.
  private void end(TokenData held, AdditionalSense why) {
    if (live.remove(RodToken.id(held.token()), held)) {
      held.gone = true;
      dead.put(RodToken.id(held.token()), why);
    }
  }

  private void arm() {
    OptionalLong first =
        live.values().stream().filter(held -> held.users == 0).mapToLong(TokenData::deadline).min();
    Long next = alarms.peek();
    if (!closed && first.isPresent() && (next == null || first.getAsLong() < next)) {
      long time = Math.max(first.getAsLong(), alarm.now());
      alarms.add(time);
      alarm.at(time, () -> expire(time));
    }
  }

  private void expire(long time) {
    List<TokenData> due = new ArrayList<>();
    synchronized (this) {
      alarms.remove(time);
      try {
        expireUnused(due);
      } finally {
        arm(); // whatever it met: else no token would expire any more
      }
    }
    due.forEach(this::dropLater);
  }

  private void expireUnused(List<TokenData> due) {
    long now = alarm.now();
    for (TokenData held : List.copyOf(live.values())) {
      if (held.users == 0 && held.deadline() <= now) {
        end(held, AdditionalSense.TOKEN_EXPIRED);
        due.add(held);
      }
    }
  }

  private void dropLater(TokenData held) {
    remover.execute(() -> drop(held.snapshot().id()));
  }

  private void drop(VolumeId snapshot) {
    try {
      engine.delete(OperationId.random(), snapshot);
    } catch (StorageException.NotFound e) {
      LOG.log(System.Logger.Level.DEBUG, "snapshot {0} of a token is gone already", snapshot);
    } catch (StorageException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "snapshot " + snapshot + " of a token stays until the target opens again",
          e);
    }
  }

  /// Ends all tokens. No command may be outstanding.
  @Override
  public void close() {
    List<TokenData> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(live.values());
      live.clear();
    }
    all.forEach(this::dropLater);
    remover.close();
  }
}

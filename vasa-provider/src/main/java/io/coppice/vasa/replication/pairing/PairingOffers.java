package io.coppice.vasa.replication.pairing;

import io.coppice.vasa.fault.VasaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/// The codes that are shown and not typed yet. They are kept in memory alone: a restart ends them.
/// Safe for any thread.
final class PairingOffers {

  /// Most codes at a time.
  private static final int MOST = 8;

  /// Most wrong proofs until all codes end.
  private static final int MOST_WRONG = 10;

  private record Offer(PairingCode code, long endNanos) {}

  private final LongSupplier nanos;
  private final List<Offer> offers = new ArrayList<>(); // under `this`
  private int wrong;

  /// @param nanos a clock that nobody sets
  PairingOffers(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /// A new code.
  ///
  /// @throws VasaException (InvalidArgument) if too many wait
  synchronized PairingCode add(Duration validity) {
    dropEnded();
    if (offers.size() >= MOST) {
      throw VasaException.invalidArgument(
          "expected fewer than %d pairing codes that wait, got %d: use them, or wait until they end"
              .formatted(MOST, offers.size()));
    }
    PairingCode code = PairingCode.random();
    offers.add(new Offer(code, nanos.getAsLong() + validity.toNanos()));
    wrong = 0;
    return code;
  }

  /// Uses up the code that a proof was made with.
  ///
  /// @param holds whether a code is the one
  /// @return absent if none is; after too many of these all codes end
  synchronized Optional<PairingCode> use(Predicate<PairingCode> holds) {
    dropEnded();
    Optional<Offer> used = offers.stream().filter(offer -> holds.test(offer.code())).findFirst();
    used.ifPresent(offers::remove);
    if (used.isEmpty() && ++wrong >= MOST_WRONG) {
      offers.clear();
    }
    return used.map(Offer::code);
  }

  private void dropEnded() {
    offers.removeIf(offer -> nanos.getAsLong() - offer.endNanos() >= 0);
  }
}

package io.coppice.vasa.replication.lag;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/// Something that is wrong with replication and needs a person.
public sealed interface Trouble {

  /// Whether something is lost already, and not only about to be.
  boolean isGrave();

  /// A trouble of a replication group.
  sealed interface OfGroup extends Trouble {

    UUID group();

    String name();
  }

  /// A lag that is, or will be, longer than the RPO.
  ///
  /// @param what how that is known, in one sentence that goes on after a colon
  /// @param age how old the newest replica is
  record Late(UUID group, String name, boolean isGrave, String what, Duration age, Duration rpo)
      implements OfGroup {}

  /// Cycles that fail again and again.
  ///
  /// @param count failures in a row
  /// @param what why the last one failed, in one sentence
  record Failing(UUID group, String name, int count, String what) implements OfGroup {

    @Override
    public boolean isGrave() {
      return true;
    }
  }

  /// A pause that is longer than the RPO.
  ///
  /// @param time how long it is
  record Paused(UUID group, String name, Duration time, Duration rpo) implements OfGroup {

    @Override
    public boolean isGrave() {
      return false;
    }
  }

  /// A certificate for links with a peer that ends soon, or has ended.
  ///
  /// @param isGrave whether it has ended
  record CertificateEnding(UUID peer, String name, boolean isGrave, Instant until)
      implements Trouble {}
}

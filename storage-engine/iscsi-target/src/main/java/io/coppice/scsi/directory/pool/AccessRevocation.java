package io.coppice.scsi.directory.pool;

import java.util.function.Predicate;

/// The loss of a unit by initiators, until their last commands there have ended.
public interface AccessRevocation {

  /// Nothing was there to leave.
  AccessRevocation NONE =
      new AccessRevocation() {
        @Override
        public void await() {}

        @Override
        public void settle(Predicate<String> isBack) {}
      };

  /// Waits until the commands that were under way have ended. Called without the directory's lock.
  void await();

  /// Ends what goes with the unit: registrations and reservations of the initiators that left.
  /// Called once, with the directory's lock, after [#await].
  ///
  /// @param isBack whether an initiator reaches the volume again by now; if so, what it has there
  ///   stays
  void settle(Predicate<String> isBack);
}

package io.coppice.engine;

import java.util.function.Consumer;

/// The scrubber of a pool: reads everything that is stored, again and again, and compares it with
/// its checksums, so that damage is known before somebody needs what was damaged.
///
/// It never holds up hosts: it reads in small pieces, leaves every cache as it is, and waits
/// between reads. All methods are safe for any thread and return at once.
public interface Scrub {

  /// What is known now.
  ScrubStatus status();

  /// Begins a pass now, or hurries the one that is under way: it goes as fast as the share of
  /// device time allows. Ends a pause.
  void start();

  /// Stops reading until [#resume] or [#start]; the pass goes on from where it is.
  void pause();

  void resume();

  /// From now on in force.
  void configure(ScrubSettings settings);

  /// Has `listener` told of every finding once: of those that are known now by the caller, of later
  /// ones on a thread of the engine's.
  void listen(Consumer<ScrubFinding> listener);
}

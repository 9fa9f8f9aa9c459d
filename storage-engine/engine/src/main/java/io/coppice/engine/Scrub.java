package io.coppice.engine;

import java.util.function.Consumer;

/// The scrubber of a pool. It reads everything that is stored, again and again, and compares it
/// with its checksums, so that damage is known before the data is needed.
///
/// It never delays hosts: it reads in small pieces, leaves every cache as it is, and waits between
/// reads. All methods are safe for any thread and return at once.
public interface Scrub {

  /// The present status.
  ScrubStatus status();

  /// The pool as a row of cells. It reads no device, and costs a look at each zone and at each
  /// finding.
  ///
  /// @param cells 1 to [ScrubMap#MAX_CELLS]; a pool of fewer zones has one cell for each
  ScrubMap map(int cells);

  /// Begins a pass now, or hurries the one under way: it goes as fast as the share of device time
  /// allows. Ends a pause.
  ///
  /// @return false if a hurried pass was under way already, without a pause
  boolean start();

  /// Stops reading until [#resume] or [#start]; the pass goes on from where it is.
  ///
  /// @return false if it was paused already
  boolean pause();

  /// Ends a pause.
  ///
  /// @return false if there was none
  boolean resume();

  /// Sets the settings, in force from now on.
  void configure(ScrubSettings settings);

  /// Tells `listener` of every finding once. The caller reports those that are known now, a thread
  /// of the engine later ones.
  void listen(Consumer<ScrubFinding> listener);
}

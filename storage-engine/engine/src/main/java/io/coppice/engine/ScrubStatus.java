package io.coppice.engine;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The state of scrubbing: the last pass, and the damage known now.
///
/// | Component | Meaning |
/// |---|---|
/// | `running` | whether a pass is under way, be it paused |
/// | `lastStarted` | start of the last pass, the one under way included |
/// | `lastEnded` | end of the last pass that came to its end |
/// | `percentDone` | of the pass under way, 0 to 100; 100 if none is |
/// | `bytesVerified` | bytes that the last pass found to match their checksums so far |
/// | `badBlocks` | blocks of data known to be damaged now, however many volumes see them |
/// | `findings` | all damage that is known now, at most 10,000 entries; a block that was written over or freed since is not among them |
public record ScrubStatus(
    boolean running,
    boolean paused,
    @Nullable Instant lastStarted,
    @Nullable Instant lastEnded,
    int percentDone,
    long bytesVerified,
    long badBlocks,
    List<ScrubFinding> findings) {

  public ScrubStatus {
    findings = List.copyOf(findings);
  }
}

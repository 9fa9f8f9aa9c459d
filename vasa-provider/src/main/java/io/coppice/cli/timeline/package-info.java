/// Timelines on the command line: verbs of several nouns, and moments as people type them. Begin
/// with [io.coppice.cli.timeline.TimelineVerbs].
@NullMarked
package io.coppice.cli.timeline;

import org.jspecify.annotations.NullMarked;

/// Journals of volumes: their cost beside I/O, what they keep, and a million points. Entry points:
/// the three groups.
@NullMarked
package io.coppice.bench.engine.journal;

import org.jspecify.annotations.NullMarked;

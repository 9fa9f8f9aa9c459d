/// How long a start takes and how long lists take, of an empty home and of one with many volumes.
@NullMarked
package io.coppice.bench.start;

import org.jspecify.annotations.NullMarked;

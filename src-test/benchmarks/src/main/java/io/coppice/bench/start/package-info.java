/// Times of starts and of lists, of an empty home and of one with many volumes.
@NullMarked
package io.coppice.bench.start;

import org.jspecify.annotations.NullMarked;

/// The watch of what is written: samples of its entropy, and counts of what it replaces. Begin with
/// [WriteSampler]. Knows only `status`.
@NullMarked
package io.coppice.engine.watch;

import org.jspecify.annotations.NullMarked;

/// The control plane under load: machines at once with and without kills, a fixed rate of calls,
/// many volumes, many hosts that poll.
@NullMarked
package io.coppice.bench.vasa;

import org.jspecify.annotations.NullMarked;

/// What limits of volumes cost and keep: `coppice bench limits`.
@NullMarked
package io.coppice.bench.limits;

import org.jspecify.annotations.NullMarked;

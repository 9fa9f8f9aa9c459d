/// Figures of the web UI in a real browser, of a site with many volumes and snapshots.
@NullMarked
package io.coppice.bench.ui;

import org.jspecify.annotations.NullMarked;

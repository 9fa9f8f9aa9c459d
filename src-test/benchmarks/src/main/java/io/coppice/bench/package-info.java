/// Measurements on this machine: the whole product over iSCSI, beside the raw file on the same
/// disk. Entry point: [io.coppice.bench.Bench].
@NullMarked
package io.coppice.bench;

import org.jspecify.annotations.NullMarked;

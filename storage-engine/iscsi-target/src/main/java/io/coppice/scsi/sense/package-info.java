/// Sense data as values and bytes (SPC-5 §4.5, Sense data). Begin with
/// [io.coppice.scsi.sense.SenseData]. A leaf: depends on nothing.
@NullMarked
package io.coppice.scsi.sense;

import org.jspecify.annotations.NullMarked;

/// The directory of logical units as its callers see it: which volume has which number for which
/// initiator.
///
/// Begin with [io.coppice.scsi.directory.LunDirectory]. The directory itself is in
/// `directory.pool`. Depends on the engine's API and `transport`, and on no other part of the
/// device server.
@NullMarked
package io.coppice.scsi.directory;

import org.jspecify.annotations.NullMarked;

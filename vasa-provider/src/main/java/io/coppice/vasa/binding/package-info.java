/// Bindings: which host reaches which virtual volume through which protocol endpoint.
///
/// Entry point: [io.coppice.vasa.binding.Bindings]. A binding is one record of the pool; the
/// database has no row of it. Depends on `volume` and on [io.coppice.scsi.directory.LunDirectory].
@NullMarked
package io.coppice.vasa.binding;

import org.jspecify.annotations.NullMarked;

/// Bindings: which host reaches which virtual volume through which protocol endpoint.
///
/// Entry point: [io.coppice.vasa.binding.Bindings]. The pool's records decide; the rows of
/// `binding` mirror them. Depends on `volume` and on [io.coppice.scsi.directory.LunDirectory].
@NullMarked
package io.coppice.vasa.binding;

import org.jspecify.annotations.NullMarked;

/// The pool and the process: state, refused clients, scrub, tokens. Begin with
/// [io.coppice.admin.system.SystemController].
@NullMarked
package io.coppice.admin.system;

import org.jspecify.annotations.NullMarked;

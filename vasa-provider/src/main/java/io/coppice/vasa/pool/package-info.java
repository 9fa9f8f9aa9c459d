/// The pool as administrators see it: its state, its space, and the search for damage in it.
///
/// A leaf beside the features of virtual volumes: begin with [io.coppice.vasa.pool.StoragePool].
/// Depends on the engine alone and needs no database.
@NullMarked
package io.coppice.vasa.pool;

import org.jspecify.annotations.NullMarked;

/// Versions of volumes and their family trees: what each inherited, and what is released when one
/// of them goes.
///
/// Entry points: [io.coppice.engine.family.Families] and [io.coppice.engine.family.Reclaimer], both
/// of the committer. Lock order: the catalog's lock before that of `Families`. Depends on `map` and
/// `format`.
@NullMarked
package io.coppice.engine.family;

import org.jspecify.annotations.NullMarked;

/// The audit trail: who asked for a change, from where, and what became of it, chained by hashes.
///
/// Begin with [io.coppice.vasa.audit.AuditLog], which writes; [io.coppice.vasa.audit.ChainCheck]
/// proves the chain, and `docs/audit.md` says what is recorded. May depend on `vasa.sort` and
/// `vasa.time`, and on the records of the pool.
@NullMarked
package io.coppice.vasa.audit;

import org.jspecify.annotations.NullMarked;

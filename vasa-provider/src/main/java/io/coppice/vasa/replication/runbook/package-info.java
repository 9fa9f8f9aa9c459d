/// Runbooks: which replication groups of this pool fail over in which order when the other site is
/// lost, to which hosts their volumes go, and when this is tested.
///
/// A runbook and the reports of its runs are records of the pool. Begin with
/// [io.coppice.vasa.replication.runbook.Runbooks], which keeps them, and
/// [io.coppice.vasa.replication.runbook.RunbookRuns], which carries them out.
/// [io.coppice.vasa.replication.runbook.RunbookRounds] begins the scheduled tests. A lock of
/// [io.coppice.vasa.replication.runbook.Runbooks] may be held while that of a report is taken, and
/// not the other way round.
@NullMarked
package io.coppice.vasa.replication.runbook;

import org.jspecify.annotations.NullMarked;

/// Tasks: the outcomes of long-running VASA operations (VASA 2.0 TaskInfo).
///
/// Entry point: [io.coppice.vasa.task.Tasks]. A leaf: it knows which task failed and with which
/// fault, but not what the operation does.
@NullMarked
package io.coppice.vasa.task;

import org.jspecify.annotations.NullMarked;

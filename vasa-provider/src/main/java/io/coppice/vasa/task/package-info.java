/// Tasks: what became of a long-running VASA operation (VASA 2.0 TaskInfo).
///
/// Entry point: [io.coppice.vasa.task.Tasks]. A leaf: it knows who failed and with which fault, not
/// what the operation does.
@NullMarked
package io.coppice.vasa.task;

import org.jspecify.annotations.NullMarked;

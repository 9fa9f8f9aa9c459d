/// The log of operations on volumes: the order of each change, and what a crash leaves. Begin with
/// [io.coppice.vasa.volume.operation.OperationLog]. Used inside of `vasa.volume` only.
@NullMarked
package io.coppice.vasa.volume.operation;

import org.jspecify.annotations.NullMarked;

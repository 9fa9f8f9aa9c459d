/// Exports: volumes as plain logical units, and the hosts and groups of hosts that they are for.
/// Begin with [io.coppice.vasa.export.Exports] and [io.coppice.vasa.export.PlainHosts].
@NullMarked
package io.coppice.vasa.export;

import org.jspecify.annotations.NullMarked;

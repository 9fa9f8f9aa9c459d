/// Plays ESXi hosts: bindings, endpoints and the life of virtual machines.
///
/// Entry points: [io.coppice.driver.esxi.EsxiHost] and [io.coppice.driver.esxi.VirtualMachine].
@NullMarked
package io.coppice.driver.esxi;

import org.jspecify.annotations.NullMarked;

/// The parts of the provider in the words of VASA 1.0: one array, its processor and ports, and the
/// identifiers of everything that can be listed. Entry point:
/// [io.coppice.vasa.inventory.Inventory], and [io.coppice.vasa.inventory.PlainLuns] for volumes
/// that are exported as plain LUNs.
@NullMarked
package io.coppice.vasa.inventory;

import org.jspecify.annotations.NullMarked;

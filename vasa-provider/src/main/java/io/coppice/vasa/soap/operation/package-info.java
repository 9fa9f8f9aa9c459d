/// Operations of the contract, one class for each section of it. Begin with
/// [io.coppice.vasa.soap.operation.VolumeOperations]. May depend on `vasa.soap.translate`,
/// `vasa.soap.value` and `vasa.soap.fault`.
@NullMarked
package io.coppice.vasa.soap.operation;

import org.jspecify.annotations.NullMarked;

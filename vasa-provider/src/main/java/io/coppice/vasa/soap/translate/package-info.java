/// Mappers between the values of features and the stubs, one class for each kind of value. Begin
/// with [io.coppice.vasa.soap.translate.VolumeMapper]. May depend on `vasa.soap.value` and
/// `vasa.soap.fault`.
@NullMarked
package io.coppice.vasa.soap.translate;

import org.jspecify.annotations.NullMarked;

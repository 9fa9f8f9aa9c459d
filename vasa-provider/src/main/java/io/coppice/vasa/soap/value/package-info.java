/// Single values on the wire: XML, identifiers, pairs of metadata, sizes in megabytes. Begin with
/// [io.coppice.vasa.soap.value.Xml]. Depends on no other package of `vasa.soap`.
@NullMarked
package io.coppice.vasa.soap.value;

import org.jspecify.annotations.NullMarked;

/// The SOAP face of the control plane: the one package that knows the generated stubs, CXF and
/// JAXB. `VasaEndpoint` has one line per operation; a class per feature checks what came, calls the
/// feature's service and maps what goes back.
@NullMarked
package io.coppice.vasa.soap;

import org.jspecify.annotations.NullMarked;

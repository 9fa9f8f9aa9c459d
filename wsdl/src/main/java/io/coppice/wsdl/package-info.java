/// What the generated VASA stubs need beside themselves. The stubs are the packages below this one;
/// they come from `wsdl/vasaService.wsdl` at build time and are not null-marked.
@NullMarked
package io.coppice.wsdl;

import org.jspecify.annotations.NullMarked;

/// Requests before their operation: namespaces of each version, the schema, and the checks of
/// arguments against it. Begin with [io.coppice.vasa.soap.argument.ArgumentCheck]. May depend on
/// `vasa.soap.value`.
@NullMarked
package io.coppice.vasa.soap.argument;

import org.jspecify.annotations.NullMarked;

/// Stand-ins and tools for the tests of the transport.
@NullMarked
package io.coppice.iscsi.testing;

import org.jspecify.annotations.NullMarked;

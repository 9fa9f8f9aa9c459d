/// What tests of the control plane have in common.
@NullMarked
package io.coppice.vasa.testing;

import org.jspecify.annotations.NullMarked;

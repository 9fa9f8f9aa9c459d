/// The sources of alerts: each looks at one part of the provider.
@NullMarked
package io.coppice.vasa.alert.source;

import org.jspecify.annotations.NullMarked;

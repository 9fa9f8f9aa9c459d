/// Alerts and where they are sent, as REST has them.
@NullMarked
package io.coppice.api.alert;

import org.jspecify.annotations.NullMarked;

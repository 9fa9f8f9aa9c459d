/// Alerts over REST.
@NullMarked
package io.coppice.admin.alert;

import org.jspecify.annotations.NullMarked;

/// The delivery of alerts to webhooks and by mail. Begin with [AlertTargets], which knows where
/// they go, and [Courier], which brings them to one target.
@NullMarked
package io.coppice.vasa.alert.delivery;

import org.jspecify.annotations.NullMarked;

/// The nouns of what happened: events, alerts, where alerts are sent, and the audit log.
@NullMarked
package io.coppice.cli.noun.event;

import org.jspecify.annotations.NullMarked;

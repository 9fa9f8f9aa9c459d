/// The tools of the audit trail: the proof while the provider is stopped, and what other tools
/// leave for the trail.
@NullMarked
package io.coppice.app.tool.trail;

import org.jspecify.annotations.NullMarked;

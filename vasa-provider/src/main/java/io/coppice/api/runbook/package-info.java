/// Runbooks and their reports in JSON.
@NullMarked
package io.coppice.api.runbook;

import org.jspecify.annotations.NullMarked;

/// The types of the audit trail in REST.
@NullMarked
package io.coppice.api.audit;

import org.jspecify.annotations.NullMarked;

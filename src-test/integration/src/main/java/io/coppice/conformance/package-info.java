/// `coppice test conformance`: libiscsi's suite against every kind of logical unit that a provider
/// serves.
@NullMarked
package io.coppice.conformance;

import org.jspecify.annotations.NullMarked;

/// The types of policies, limits and schedules in REST.
@NullMarked
package io.coppice.api.policy;

import org.jspecify.annotations.NullMarked;

/// The types of jobs in REST.
@NullMarked
package io.coppice.api.job;

import org.jspecify.annotations.NullMarked;

/// The types of containers, registrations and hosts in REST.
@NullMarked
package io.coppice.api.host;

import org.jspecify.annotations.NullMarked;

/// The types of exports, endpoints and the target in REST.
@NullMarked
package io.coppice.api.iscsi;

import org.jspecify.annotations.NullMarked;

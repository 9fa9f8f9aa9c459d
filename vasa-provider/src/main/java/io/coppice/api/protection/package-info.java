/// Requests and answers about protection: policies, groups and recovery points.
@NullMarked
package io.coppice.api.protection;

import org.jspecify.annotations.NullMarked;

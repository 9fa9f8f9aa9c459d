/// The way of a request to its controller and of a failure to its answer. Begin with
/// [io.coppice.admin.request.ApiFilter]. May depend on `admin.access`, `admin.problem` and
/// `admin.field`; knows no controller.
@NullMarked
package io.coppice.admin.request;

import org.jspecify.annotations.NullMarked;

/// The OpenAPI description of REST, made from the controllers and the records themselves. Begin
/// with [io.coppice.admin.description.ApiDescription]. What only a person knows stands as text in
/// the resources `openapi/*.yaml`.
@NullMarked
package io.coppice.admin.description;

import org.jspecify.annotations.NullMarked;

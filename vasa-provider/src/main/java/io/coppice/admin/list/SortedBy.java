package io.coppice.admin.list;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The fields that a list can be sorted by, for the description of the API: those of its [Orders],
/// in the same order.
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface SortedBy {

  /// Fields of the items. The first one is the usual order; a `-` before it is the reverse.
  String[] value();
}

package io.coppice.admin.description;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The types of server-sent events that the answer of an operation is a stream of.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface StreamOf {

  Sort[] value();

  /// One type of event.
  @interface Sort {

    /// What the field `event` says.
    String name();

    /// The type whose JSON the field `data` has.
    Class<?> data();
  }
}

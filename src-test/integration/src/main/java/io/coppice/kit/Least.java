package io.coppice.kit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The smallest number that an option takes.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Least {

  int value();
}

package io.coppice.admin.access;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The mark of a method whose answer is a file in place of JSON, with the type of the file.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface FileAnswer {

  /// Such as `application/zip`.
  String value();
}

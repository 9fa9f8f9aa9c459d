package io.coppice.admin.access;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The mark of a method whose answer has a secret. It is shown once and kept nowhere, so a repeat
/// under the same key is refused.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface ShownOnce {}

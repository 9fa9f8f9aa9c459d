package io.coppice.admin.access;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The mark of a method that is no GET, because its question needs a body, and still changes
/// nothing. The audit trail does without it.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface ChangesNothing {}

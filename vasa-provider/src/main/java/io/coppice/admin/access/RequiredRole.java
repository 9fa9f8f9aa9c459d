package io.coppice.admin.access;

import io.coppice.api.Role;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The smallest role that may call a method. A method without it needs [Role#OPERATOR] for GET and
/// [Role#STORAGE_ADMIN] for everything else.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface RequiredRole {
  Role value();
}

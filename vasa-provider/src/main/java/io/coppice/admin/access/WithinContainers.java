package io.coppice.admin.access;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The mark of a method that a token with the role [Role#VOLUME_ADMIN] may call, too. Such a method
/// reads nothing of other containers than the token's, because the current
/// [io.coppice.vasa.viewer.Viewer] chooses what is found. If it changes something, every volume and
/// snapshot that its path or body names by an id must be plain.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface WithinContainers {}

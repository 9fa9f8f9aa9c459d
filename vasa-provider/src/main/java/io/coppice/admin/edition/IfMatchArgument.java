package io.coppice.admin.edition;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/// The reading of [IfMatch], for controllers that take one.
public final class IfMatchArgument implements HandlerMethodArgumentResolver {

  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    return parameter.getParameterType() == IfMatch.class;
  }

  @Override
  public Object resolveArgument(
      MethodParameter parameter,
      @Nullable ModelAndViewContainer view,
      NativeWebRequest request,
      @Nullable WebDataBinderFactory binders) {
    HttpServletRequest http =
        Objects.requireNonNull(request.getNativeRequest(HttpServletRequest.class));
    return new IfMatch(TagList.of(http, IfMatch.HEADER));
  }
}
